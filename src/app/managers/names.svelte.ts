import { remembered } from '../services/remembered.ts';

const KEY = 'nightjar.names-service';

/** Who is asked for the address behind a name; nobody until the person names a service. */
class Names {
  /** An `https:` URL of DNS over HTTPS; undefined where names are not looked up. */
  service: string | undefined = $state(remembered.get(KEY));

  /** The service as a person knows it. */
  get host(): string {
    return this.service === undefined ? '' : new URL(this.service).host;
  }

  use(service: string | undefined): void {
    this.service = service;
    remembered.set(KEY, service);
  }
}

export const names = new Names();
