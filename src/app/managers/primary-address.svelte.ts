import { errorText, requestText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { normalizedAddress } from '../services/addresses.ts';
import { session } from './session.svelte.ts';

/** Form field for the primary address of a wallet restored from keys. */
export class PrimaryAddress {
  text = $state('');
  problem: string | undefined = $state();

  /** @param needed false if the field may be empty */
  constructor(readonly needed: boolean) {}

  get trimmed(): string {
    return normalizedAddress(this.text);
  }

  get #missing(): string | undefined {
    return this.needed ? m.watch_address_missing() : undefined;
  }

  /** Validates the address and sets `problem`. False if the text changed during the check. */
  async check(): Promise<boolean> {
    const asked = this.trimmed;
    const problem = asked === '' ? this.#missing : await primaryProblem(asked);
    if (asked !== this.trimmed) return false;
    this.problem = problem;
    return problem === undefined;
  }
}

async function primaryProblem(address: string): Promise<string | undefined> {
  const refused = requestText(address);
  if (refused !== undefined) return refused;
  try {
    const kind = await session.host.checkAddress(address, session.network);
    return kind === 'standard' ? undefined : m.watch_primary_only();
  } catch (error) {
    return errorText(error);
  }
}
