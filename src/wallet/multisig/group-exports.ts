import { bytesToHex, equalBytes, hexToBytes } from '../../base/index.ts';
import type { WalletContext } from '../context.ts';
import type { Cosigning } from './cosigning.ts';
import { MultisigError } from './errors.ts';
import { EXPORT_CLEARED, hasUnexportedCoins } from './group-status.ts';
import { planOf } from './stored-plan.ts';

/** Attributes of the journal: this member's last export, and by base key the last one of each other member. Both as hex. */
const TOLD = 'group-told';
const HEARD = 'group-heard:';
/** Bytes of an export that is kept in the journal; a larger one is there until the wallet is closed. */
const MOST_KEPT = 1_000_000;

/** An export of another member. */
interface Heard {
  /** Base public key, hex. */
  readonly signer: string;
  readonly bytes: Uint8Array;
  /** How many outputs of the wallet it tells of, from the first on. */
  readonly outputs: number;
}

/** Parts of the wallet that exports are made from and taken into. */
interface ExportsDeps {
  readonly ctx: Pick<WalletContext, 'state' | 'append' | 'journal'>;
  readonly cosigning: Cosigning;
  /** Called when it has turned out that this member's last export is void. */
  changed(): void;
}

/**
 * Exports that members pass to each other before a payment (partial key images, and nonces for the signatures): this member's own, and the
 * last one of each other. A group's wallet imports those of several members at once, for an import replaces the one before.
 */
export class GroupExports {
  readonly #deps: ExportsDeps;
  /** Exports of others that are too large for the journal, by signer. */
  readonly #large = new Map<string, Uint8Array>();
  /** The journal is an older one brought back, by its mark: this member's last export is void. Undefined until it was looked at. */
  #stale: boolean | undefined;

  constructor(deps: ExportsDeps) {
    this.#deps = deps;
  }

  /** Whether this member's last export is void. Looks at the journal's mark when asked first; `changed` is called if that says yes. */
  get isStale(): boolean {
    if (this.#stale === undefined && this.#deps.ctx.state.cosigning.own !== undefined) void this.#lookAtMark();
    return this.#stale === true;
  }

  /** The last export of another member, by base public key, hex. */
  of(signer: string): Uint8Array | undefined {
    return this.#large.get(signer) ?? bytesOf(this.#deps.ctx.state.attributes.get(HEARD + signer));
  }

  /** This member's export: the last one while it still serves, unless a fresh one is asked for. */
  async own(fresh: boolean): Promise<Uint8Array> {
    const { ctx, cosigning } = this.#deps;
    if (this.#stale === undefined) await this.#lookAtMark();
    const last = bytesOf(ctx.state.attributes.get(TOLD));
    if (!fresh && last !== undefined && !hasUnexportedCoins(ctx.state, this.#stale === true)) return last;
    const told = await cosigning.export();
    this.#stale = false;
    await this.#set(TOLD, hexOf(told));
    return told;
  }

  /**
   * Keeps another member's export in place of its last one, and imports it where enough members have told of their outputs.
   * @returns whose it is, how many outputs it tells of, and whether it was imported
   * @throws MultisigError `own-message`, `repeated`, and as `readInfo`; nothing is changed then
   */
  async take(bytes: Uint8Array, self: string): Promise<Heard & { readonly taken: boolean }> {
    const news = { ...(await this.#deps.cosigning.exportedBy(bytes)), bytes };
    const { signer } = news;
    if (signer === self) throw new MultisigError('own-message', 'expected what another member told');
    const before = this.of(signer);
    if (before !== undefined && equalBytes(before, bytes)) throw new MultisigError('repeated', 'expected what is not here');
    // The import judges the whole of it, with those of others where there are enough: only then is it kept.
    const taken = await this.import(news);
    if (bytes.length > MOST_KEPT) this.#large.set(signer, bytes);
    else this.#large.delete(signer);
    await this.#set(HEARD + signer, hexOf(bytes));
    if (this.#deps.ctx.state.attributes.get(EXPORT_CLEARED + signer) === '1') await this.#set(EXPORT_CLEARED + signer, '');
    return { ...news, taken };
  }

  /**
   * Imports the exports that tell of the most outputs, as many as a signature needs.
   * @param news an export that is not kept yet, in place of its member's last one
   * @returns false when there are too few; and, of news about all outputs, when the others' exports are older than that
   */
  async import(news?: Heard): Promise<boolean> {
    const { ctx, cosigning } = this.#deps;
    const { threshold, others } = planOf(ctx.state)!;
    const heard = news === undefined ? [] : [news];
    for (const { signer } of others) {
      const bytes = signer === news?.signer ? undefined : this.of(signer);
      if (bytes !== undefined) heard.push({ ...(await cosigning.exportedBy(bytes)), bytes });
    }
    const needed = threshold - 1;
    if (heard.length < needed) return false;
    const covered = heard.map(({ outputs }) => outputs).sort((a, b) => b - a)[needed - 1] ?? 0;
    const all = ctx.state.outputs.size;
    if (news !== undefined && news.outputs >= all && covered < all && needed > 1) return false;
    await cosigning.import(heard.filter(({ outputs }) => outputs >= covered).map(({ bytes }) => bytes));
    return true;
  }

  /** Forgets the last export of another member, who counts as not up to date until there is another. */
  async forget(signer: string): Promise<void> {
    this.#large.delete(signer);
    await this.#deps.ctx.append(
      [
        { type: 'AttributeSet', key: HEARD + signer, value: '' },
        // Key images taken from it stay in the wallet; they do not make the member up to date.
        { type: 'AttributeSet', key: EXPORT_CLEARED + signer, value: '1' },
      ],
      'strict',
    );
  }

  async #lookAtMark(): Promise<void> {
    this.#stale = false;
    const { ctx } = this.#deps;
    const mark = await ctx.journal.mark().catch(() => undefined);
    const { own } = ctx.state.cosigning;
    if (own === undefined || own.mark === mark) return;
    this.#stale = true;
    this.#deps.changed();
  }

  #set(key: string, value: string): Promise<void> {
    return this.#deps.ctx.append([{ type: 'AttributeSet', key, value }], 'strict');
  }
}

const hexOf = (bytes: Uint8Array): string => (bytes.length > MOST_KEPT ? '' : bytesToHex(bytes));
const bytesOf = (hex: string | undefined): Uint8Array | undefined =>
  hex === undefined || hex === '' ? undefined : hexToBytes(hex);
