import { type ReadResult, UrDecoder } from '../../ur/index.ts';
import type { TakenMessage } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { type Place, router } from '../router.svelte.ts';
import { fileBytes } from '../services/file.ts';
import { memberName, memberNames } from '../services/group.ts';
import { Attempt } from './attempt.svelte.ts';
import { notices } from './notices.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Input of one multisig message: pasted, from a file, or scanned. Created with its dialog. */
export class GroupMessageInput {
  readonly attempt = new Attempt();
  text = $state('');
  /** The form was submitted with an empty field. */
  empty = $state(false);
  scanning = $state(false);
  parts: readonly boolean[] = $state.raw([]);
  /** Result of the last scanned code, if it was not a new part. */
  said: ReadResult | undefined = $state.raw();
  /** Sender's index, needed in the first round, when members' keys are not known yet. */
  #whose: number | undefined;
  readonly #api = wallet.api;
  readonly #decoder = new UrDecoder(['bytes']);

  /** @param done called when the message was accepted */
  constructor(readonly done: () => void) {}

  /** Clears the input. @param whose index of the member it is from, if known */
  clear(whose: number | undefined): void {
    this.text = '';
    this.#whose = whose;
    this.empty = false;
    this.stopScan();
    this.attempt.forget();
  }

  async takeText(): Promise<void> {
    this.empty = this.text.trim() === '';
    if (!this.empty) await this.#take(new TextEncoder().encode(this.text));
  }

  async takeFile(file: File): Promise<void> {
    this.empty = false;
    await this.#take(await fileBytes(file));
  }

  scan(): void {
    this.attempt.forget();
    this.scanning = true;
  }

  stopScan(): void {
    this.scanning = false;
    this.parts = [];
    this.said = undefined;
    this.#decoder.clear();
  }

  /** Handles a scanned code: a UR part, or a short message as plain text. */
  read(text: string): void {
    if (!this.scanning) return;
    if (/^Multisig/.test(text)) {
      this.stopScan();
      void this.#take(new TextEncoder().encode(text));
      return;
    }
    const taken = this.#decoder.take(text);
    this.parts = [...this.#decoder.parts];
    this.said = taken.kind === 'new' ? undefined : taken;
    if (taken.kind !== 'whole') return;
    this.stopScan();
    void this.#take(taken.bytes);
  }

  scanAnew(): void {
    this.#decoder.clear();
    this.parts = [];
    this.said = undefined;
  }

  async #take(bytes: Uint8Array): Promise<void> {
    await this.attempt.run(async (wanted) => {
      const place = router.here;
      const taken = await this.#api.group.take(bytes, this.#whose);
      if (wanted()) this.done();
      tell(taken, place);
    });
  }
}

/** Shows a notice of what was accepted, and opens a payment. @param place where the message was entered */
function tell(taken: readonly TakenMessage[], place: Place): void {
  const members = wallet.view?.group?.members ?? [];
  const rounds = taken.flatMap((one) => (one.kind === 'round' ? [one.member] : []));
  if (rounds.length > 0) notices.say(m.group_took_round({ names: memberNames(members, rounds) }), 'good');
  for (const one of taken) {
    if (one.kind === 'info') {
      const name = memberName(members, one.member);
      if (one.taken) notices.say(m.group_took_info({ name }), 'good');
      else notices.say(m.group_took_info_waits({ name }));
    } else if (one.kind === 'set') {
      const words = SET_NEWS[one.news];
      notices.say(words(), one.news === 'parallel' ? 'bad' : 'good');
      router.goFrom(place, `group/set/${one.id}`);
    }
  }
}

const SET_NEWS = {
  new: m.group_took_set_new,
  signed: m.group_took_set_signed,
  same: m.group_took_set_same,
  parallel: m.group_took_set_parallel,
} as const;
