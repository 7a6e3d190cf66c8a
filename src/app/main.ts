import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { language } from './language/language.svelte.ts';
import './managers/install.svelte.ts';
import { session } from './managers/session.svelte.ts';
import { update } from './managers/update.svelte.ts';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no element to live in');

const started = session.start();
window.addEventListener('pagehide', () => session.depart());
await language.start();
mount(App, { target });
// Registers the service worker after the first paint.
requestAnimationFrame(() => void update.register(started));
