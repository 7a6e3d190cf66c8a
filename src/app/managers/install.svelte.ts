/** Chromium's `beforeinstallprompt` event, not in TypeScript's DOM types. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Installation as an app. The browser offers it once, early, by an event. */
class Install {
  /** Running as an installed app. */
  installed = $state(
    window.matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true),
  );
  #offer: InstallPrompt | undefined = $state.raw();

  constructor() {
    window.addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.#offer = event as InstallPrompt;
    });
    window.addEventListener('appinstalled', () => {
      this.installed = true;
      this.#offer = undefined;
    });
  }

  /** The install prompt can be shown. */
  get offered(): boolean {
    return this.#offer !== undefined;
  }

  /** Shows the install prompt; possible once per event. */
  async ask(): Promise<void> {
    const offer = this.#offer;
    this.#offer = undefined;
    await offer?.prompt();
  }
}

export const install = new Install();
