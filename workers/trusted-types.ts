/**
 * Trusted Types (T12): the only script URLs this program may pass to the browser are its own built files. The URL is also checked if the browser
 * does not support Trusted Types.
 */

interface TrustedScriptUrlPolicy {
  createScriptURL(input: string): unknown;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL: (input: string) => string }): TrustedScriptUrlPolicy;
}

function sameOrigin(input: string): string {
  const url = new URL(input, self.location.href);
  if (url.origin !== self.location.origin) throw new TypeError('expected a script of this origin');
  return url.href;
}

const { trustedTypes } = self as { trustedTypes?: TrustedTypesFactory };
const policy = trustedTypes?.createPolicy('nightjar', { createScriptURL: sameOrigin });

/** The URL of one of our own scripts, for `new Worker` and `serviceWorker.register`. */
export function scriptUrl(path: string): string {
  return (policy?.createScriptURL(path) ?? sameOrigin(path)) as string;
}
