/** Content policy of every answer: this page runs only its own scripts and kernels, talks to daemons, and cannot be framed (T12). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' http: https:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The page's two policies: Svelte's templates, and the URLs of our workers.
  'trusted-types svelte-trusted-html nightjar',
].join('; ');

/** On every answer (T12): what the page may load and run, and who may embed it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), hid=(self), geolocation=(), microphone=(), payment=(), usb=()',
};
