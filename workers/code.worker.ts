import { type CodeFrame, type CodeText, readCode } from './code-frame.ts';

/** Reads codes in pictures if the browser has no reader, off the page's thread, so that the page stays responsive. */

self.addEventListener('message', ({ data }: MessageEvent<CodeFrame>) => {
  const answer: CodeText = { id: data.id, text: readCode(data) };
  self.postMessage(answer);
});
