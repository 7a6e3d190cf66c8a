import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { language } from './language/language.svelte.ts';
import './managers/install.svelte.ts';
import { session } from './managers/session.svelte.ts';
import { reportStarted, update } from './managers/update.svelte.ts';
import { afterPaint, nextTask } from './services/frame-scheduling.ts';

/** What most who are new here go on with: on a slow line it comes before the worker, which has the time that a password takes to think of. */
const firstStep = (): Promise<unknown> => Promise.allSettled([language.whole(), import('./views/Create.svelte')]);

const target = document.getElementById('app');
if (!target) throw new Error('the page has no element to live in');

// Who is new here sees the way in first: the wallet's worker, as it starts, would take the processor from the page's first drawing.
const { isNew } = session;
if (!isNew) void session.start();
window.addEventListener('pagehide', () => {
  session.terminate();
  // The browser may show this document again, to whoever goes back to it: nothing that was typed or shown is left, and it starts anew.
  target.replaceChildren();
});
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload();
});
await language.start();
// In a task of its own: reading the program and drawing are one long wait for a slow phone's fingers otherwise.
await nextTask();
mount(App, { target });
reportStarted();
// Each in a task of its own.
afterPaint(async () => {
  if (isNew)
    void firstStep()
      .then(nextTask)
      .then(() => session.start());
  await nextTask();
  await update.register(session.started, () => session.close());
});
