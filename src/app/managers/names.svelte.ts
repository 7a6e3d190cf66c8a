import type { AliasAnswer } from '../../../workers/names.ts';
import { remembered } from '../services/remembered.ts';
import { device } from './device.svelte.ts';

const KEY = 'nightjar.names-service';

/** Service that is asked for the address behind a name; none until the person names one. */
class Names {
  /** An `https:` URL of DNS over HTTPS; undefined where names are not looked up. */
  service: string | undefined = $state(keptService());

  /** The service as a person knows it. */
  get host(): string {
    return this.service === undefined ? '' : new URL(this.service).host;
  }

  /** Asks the service for the address behind a name; an offline device asks nobody. @throws TypeError for a service that is not at `https:` */
  async lookUp(name: string): Promise<AliasAnswer> {
    if (this.service === undefined || device.offline)
      return { answered: false, verified: false, found: false, address: undefined };
    const { lookUpName } = await import('../../../workers/names.ts');
    return lookUpName(this.service, name);
  }

  use(service: string | undefined): void {
    this.service = service;
    remembered.set(KEY, service);
  }
}

/** What is kept may be anything: whoever cannot be asked is nobody. */
function keptService(): string | undefined {
  const kept = remembered.get(KEY);
  return kept !== undefined && URL.canParse(kept) && new URL(kept).protocol === 'https:' ? kept : undefined;
}

export const names = new Names();
