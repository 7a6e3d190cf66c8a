import { type CodeFrame, type CodeText, readCode } from './code-frame.ts';

/** Reads codes in pictures where the browser has no reader of its own, beside the page, so that what it shows keeps moving. */

self.addEventListener('message', ({ data }: MessageEvent<CodeFrame>) => {
  const answer: CodeText = { id: data.id, text: readCode(data) };
  self.postMessage(answer);
});
