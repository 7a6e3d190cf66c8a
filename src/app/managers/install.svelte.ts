/** Chromium's question to the person, which the page may put when it fits. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Whether this page can be installed as an app, and how. The browser says so once, early. */
class Install {
  /** It runs as an app already. */
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

  /** The browser would ask the person now. */
  get offered(): boolean {
    return this.#offer !== undefined;
  }

  /** Has the browser ask; it takes one answer. */
  async ask(): Promise<void> {
    const offer = this.#offer;
    this.#offer = undefined;
    await offer?.prompt();
  }
}

export const install = new Install();
