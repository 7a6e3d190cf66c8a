import { bytesToHex, equalBytes, hexToBytes } from '../../base/index.ts';
import type { WalletContext } from '../context.ts';
import type { Cosigning } from './cosigning.ts';
import { MultisigError } from './errors.ts';
import { EXPORT_CLEARED, hasUnexportedCoins } from './group-status.ts';
import { planOf } from './stored-plan.ts';

/** Attributes of the journal: this member's last export, and the prefix, before its base key, of each other member's last one. Values are hex. */
const OWN_EXPORT = 'group-told';
const MEMBER_EXPORT = 'group-heard:';
/** Most bytes of an export that is stored in the journal; a larger one is forgotten when the wallet closes. */
const MOST_STORED = 1_000_000;

/** An export of another member. */
interface MemberExport {
  /** Base public key, hex. */
  readonly signer: string;
  readonly bytes: Uint8Array;
  /** Number of outputs that it covers, from the first on. */
  readonly outputs: number;
}

/** Parts of the wallet that making and importing exports needs. */
interface ExportsDeps {
  readonly ctx: Pick<WalletContext, 'state' | 'append' | 'journal'>;
  readonly cosigning: Cosigning;
  /** Called when this member's last export proves to be void. */
  changed(): void;
}

/**
 * Exports that members exchange before a payment (partial key images, and nonces for the signatures): this member's own, and the last one
 * of each other member. Those of several members are imported together, because an import replaces the one before.
 */
export class GroupExports {
  readonly #deps: ExportsDeps;
  /** Exports of others that are too large for the journal, by signer. */
  readonly #large = new Map<string, Uint8Array>();
  /** Whether the mark shows that an older journal was restored: this member's last export is then void. Undefined until the mark was read. */
  #stale: boolean | undefined;

  constructor(deps: ExportsDeps) {
    this.#deps = deps;
  }

  /** Whether this member's last export is void. The first access reads the journal's mark, and `changed` is called if it is. */
  get isStale(): boolean {
    if (this.#stale === undefined && this.#deps.ctx.state.cosigning.own !== undefined) void this.#readMark();
    return this.#stale === true;
  }

  /** The last export of another member, by base public key, hex. */
  of(signer: string): Uint8Array | undefined {
    return this.#large.get(signer) ?? bytesOf(this.#deps.ctx.state.attributes.get(MEMBER_EXPORT + signer));
  }

  /** This member's export: the last one if it still covers everything and `fresh` is false, otherwise a new one. */
  async own(fresh: boolean): Promise<Uint8Array> {
    const { ctx, cosigning } = this.#deps;
    if (this.#stale === undefined) await this.#readMark();
    const last = bytesOf(ctx.state.attributes.get(OWN_EXPORT));
    if (!fresh && last !== undefined && !hasUnexportedCoins(ctx.state, this.#stale === true)) return last;
    const exported = await cosigning.export();
    this.#stale = false;
    await this.#set(OWN_EXPORT, hexOf(exported));
    return exported;
  }

  /**
   * Stores another member's export in place of its last one, and imports it if there are exports of enough members.
   * @returns its sender, how many outputs it covers, and whether it was imported
   * @throws MultisigError `own-message`, `repeated`, and as `readInfo`; on an error nothing has changed
   */
  async take(bytes: Uint8Array, self: string): Promise<MemberExport & { readonly taken: boolean }> {
    const received = { ...(await this.#deps.cosigning.exportedBy(bytes)), bytes };
    const { signer } = received;
    if (signer === self) throw new MultisigError('own-message', 'expected what another member told');
    const before = this.of(signer);
    if (before !== undefined && equalBytes(before, bytes)) throw new MultisigError('repeated', 'expected what is not here');
    // Importing checks all of it, together with the others' if there are enough: only then is it stored.
    const taken = await this.import(received);
    if (bytes.length > MOST_STORED) this.#large.set(signer, bytes);
    else this.#large.delete(signer);
    await this.#set(MEMBER_EXPORT + signer, hexOf(bytes));
    if (this.#deps.ctx.state.attributes.get(EXPORT_CLEARED + signer) === '1') await this.#set(EXPORT_CLEARED + signer, '');
    return { ...received, taken };
  }

  /**
   * Imports the exports that cover the most outputs, as many as a signature needs.
   * @param received an export that is not stored yet, in place of its member's last one
   * @returns false if there are too few, or if `received` covers all outputs but the others' exports are older
   */
  async import(received?: MemberExport): Promise<boolean> {
    const { ctx, cosigning } = this.#deps;
    const { threshold, others } = planOf(ctx.state)!;
    const exports = received === undefined ? [] : [received];
    for (const { signer } of others) {
      const bytes = signer === received?.signer ? undefined : this.of(signer);
      if (bytes !== undefined) exports.push({ ...(await cosigning.exportedBy(bytes)), bytes });
    }
    const needed = threshold - 1;
    if (exports.length < needed) return false;
    const covered = exports.map(({ outputs }) => outputs).sort((a, b) => b - a)[needed - 1] ?? 0;
    const all = ctx.state.outputs.size;
    if (received !== undefined && received.outputs >= all && covered < all && needed > 1) return false;
    await cosigning.import(exports.filter(({ outputs }) => outputs >= covered).map(({ bytes }) => bytes));
    return true;
  }

  /** Forgets the last export of another member, who counts as outdated until there is a new one. */
  async forget(signer: string): Promise<void> {
    this.#large.delete(signer);
    await this.#deps.ctx.append(
      [
        { type: 'AttributeSet', key: MEMBER_EXPORT + signer, value: '' },
        // Key images taken from it stay in the wallet; they do not make the member up to date.
        { type: 'AttributeSet', key: EXPORT_CLEARED + signer, value: '1' },
      ],
      'strict',
    );
  }

  async #readMark(): Promise<void> {
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

const hexOf = (bytes: Uint8Array): string => (bytes.length > MOST_STORED ? '' : bytesToHex(bytes));
const bytesOf = (hex: string | undefined): Uint8Array | undefined =>
  hex === undefined || hex === '' ? undefined : hexToBytes(hex);
