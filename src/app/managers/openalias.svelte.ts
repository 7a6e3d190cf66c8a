import type { AliasAnswer } from '../../../workers/openalias.ts';
import { localStore } from '../services/local-store.ts';
import { device } from './device.svelte.ts';

const KEY = 'nightjar.names-service';

/** OpenAlias lookups by a DNS-over-HTTPS service; off until the person sets one. */
class OpenAlias {
  /** `https:` URL of the service; undefined when lookups are off. */
  service: string | undefined = $state(keptService());

  /** Host name of the service, for display. */
  get host(): string {
    return this.service === undefined ? '' : new URL(this.service).host;
  }

  /** Looks up the address of a name. Makes no request on an offline device. @throws TypeError for a service that is not at `https:` */
  async lookUp(name: string): Promise<AliasAnswer> {
    if (this.service === undefined || device.offline)
      return { answered: false, verified: false, found: false, address: undefined };
    const { resolveOpenAlias } = await import('../../../workers/openalias.ts');
    return resolveOpenAlias(this.service, name);
  }

  use(service: string | undefined): void {
    this.service = service;
    localStore.set(KEY, service);
  }
}

/** The stored URL; undefined if it is missing or not a valid `https:` URL. */
function keptService(): string | undefined {
  const kept = localStore.get(KEY);
  return kept !== undefined && URL.canParse(kept) && new URL(kept).protocol === 'https:' ? kept : undefined;
}

export const openAlias = new OpenAlias();
