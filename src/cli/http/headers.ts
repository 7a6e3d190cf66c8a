/** Content policy of the page: it runs only its own scripts and kernels, and talks to daemons (T12). The built document has it, too. */
export const PAGE_POLICY = [
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
  "require-trusted-types-for 'script'",
  // For the URLs of our workers. None makes HTML: what the page shows is built of elements, and no text is ever parsed as a document.
  'trusted-types nightjar',
].join('; ');

/** On every answer (T12): what the page may load and run, and that nobody may frame it, which only a header can say. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), hid=(self), geolocation=(), microphone=(), payment=(), usb=()',
};
