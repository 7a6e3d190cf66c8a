import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  // Templates are made of elements, not of HTML: the page's policy lets no text be parsed as HTML.
  compilerOptions: { runes: true, fragments: 'tree' },
};
