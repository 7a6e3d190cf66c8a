import { mount } from 'svelte';
import '../app.css';
import { language } from '../language/language.svelte.ts';
import { discreet } from '../managers/discreet.svelte.ts';
import { theme } from '../managers/theme.svelte.ts';
import { readPlace } from './place.ts';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no element to live in');

const place = readPlace(window.location.search);
theme.choose(place.theme);
discreet.on = place.hidden;
await language.choose(place.language);
// Samples say their texts as they are made: in the language that is shown, and of the wallet that is open.
const { enter, host } = await import('./answers.ts');
host();
await enter();
const View =
  place.sample !== undefined ? import('./Alone.svelte') : place.bare ? import('./Sheet.svelte') : import('./Gallery.svelte');
mount((await View).default, { target, props: { place } });
