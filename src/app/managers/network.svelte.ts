/** Whether the device says it has a connection. The daemon's own state is in the wallet's sync status. */
class Network {
  online = $state(navigator.onLine);

  constructor() {
    window.addEventListener('online', () => {
      this.online = true;
    });
    window.addEventListener('offline', () => {
      this.online = false;
    });
  }
}

export const network = new Network();
