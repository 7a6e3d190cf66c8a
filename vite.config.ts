import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import packageJson from './package.json' with { type: 'json' };
import { texts } from './scripts/texts.ts';

// The page: one HTML file, hashed assets, and a service worker that keeps them. Nothing inline, so that a strict
// content security policy (T12) needs no exception.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: 'public',
  plugins: [
    texts(),
    svelte(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'workers',
      filename: 'service-worker.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: ['**/*.{html,js,css,wasm,svg,png,webmanifest,woff2}'],
        // What only the browser's own install dialog shows.
        globIgnores: ['screenshots/**'],
        maximumFileSizeToCacheInBytes: 4_000_000,
      },
    }),
  ],
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  worker: { format: 'es' },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { host: '127.0.0.1' },
});
