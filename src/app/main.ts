import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { language } from './language/language.svelte.ts';
import './managers/install.svelte.ts';
import { session } from './managers/session.svelte.ts';
import { tellStarted, update } from './managers/update.svelte.ts';
import { nextTask } from './services/pace.ts';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no element to live in');

const started = session.start();
window.addEventListener('pagehide', () => session.depart());
await language.start();
// In a task of its own: reading the program and drawing are one long wait for a slow phone's fingers otherwise.
await nextTask();
mount(App, { target });
tellStarted();
// Registers the service worker after the first paint; a page that opens out of sight paints nothing.
const soon = document.hidden ? setTimeout : requestAnimationFrame;
soon(() => void update.register(started));
