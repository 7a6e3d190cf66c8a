import { formatAmount } from '../../protocol/index.ts';
import { CLIENTS } from '../client-attributes.ts';
import type { OwnedOutput, SubaddressIndex } from '../model.ts';
import type { EventOf, WalletEvent } from './events.ts';

/** Contents to print besides a journal's structure. @internal */
export interface DescribeOptions {
  /** The user's own texts: labels, notes, names of contacts. */
  readonly labels: boolean;
  readonly amounts: boolean;
}

type Describe<Type extends WalletEvent['type']> = (
  event: EventOf<Type>,
  outputs: OutputNames,
  telling: DescribeOptions,
) => string;

/** Names outputs by the transactions that made them, from the journal's events so far. @internal */
export class OutputNames {
  readonly #names = new Map<string, string>();

  /** Remembers an output of an event. */
  see({ key, txHash, outputIndex }: OwnedOutput): void {
    this.#names.set(key, `output ${outputIndex} of ${txHash}`);
  }

  /** Name of the output with a one-time key, 64 hex digits. */
  of(key: string): string {
    return this.#names.get(key) ?? 'an output that is not told before';
  }
}

const count = (items: { readonly length: number }, one: string): string =>
  `${items.length} ${one}${items.length === 1 ? '' : 's'}`;
const place = ({ major, minor }: SubaddressIndex): string => `${major}/${minor}`;
const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
const amountOf = (amount: bigint | undefined, { amounts }: DescribeOptions): string =>
  amount === undefined || !amounts ? '' : `, ${formatAmount(amount)}`;
/** On one line, so that texts of others cannot control a terminal. */
const quoted = (text: string): string => `"${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')}"`;
const written = (text: string, { labels }: DescribeOptions): string => (labels ? quoted(text) : `${text.length} characters`);
/** Names of our own settings are not secret; those that a client of the service chose may be. */
const attribute = (key: string, telling: DescribeOptions): string =>
  key.startsWith(CLIENTS) ? `of a client, ${written(key.slice(CLIENTS.length), telling)}` : key;

/**
 * A line for each kind of event, and more for its outputs and spends. Every printed field is named here, so that a secret in a new field is
 * not printed: never a key, a mask, a ring's members, an address, the value of a setting.
 */
const DESCRIPTIONS: { readonly [Type in WalletEvent['type']]: Describe<Type> } = {
  Created: ({ wallet: { kind, network, restoreHeight, createdAt } }) =>
    `${kind} wallet of ${network}, from height ${restoreHeight}, made ${time(createdAt)}`,
  Synced: ({ from, to, blocks, outputs, spends, used }, names, telling) => {
    const lines = [
      `heights ${from} to ${to}: ids of ${count(blocks, 'block')}, ${count(outputs, 'output')}, ${count(spends, 'spend')}, used ${used.map(place).join(' ') || 'none'}`,
    ];
    for (const output of outputs) {
      names.see(output);
      const { height, outputIndex, txHash, subaddress, coinbase, rct, amount } = output;
      const what = `${coinbase ? ', coinbase' : ''}${rct ? '' : ', clear amount'}`;
      lines.push(`  + ${txHash}:${outputIndex} at ${height} for ${place(subaddress)}${what}${amountOf(amount, telling)}`);
    }
    for (const { txHash, height, fee } of spends) lines.push(`  - ${txHash} at ${height}${amountOf(fee, telling)}`);
    return lines.join('\n');
  },
  Rewound: ({ height, parent }) => `to height ${height}, on top of ${parent}`,
  BlocksVerified: ({ blocks }) => `${count(blocks, 'whole block')}: ${blocks.map(({ height }) => height).join(' ')}`,
  KeyImagesImported: ({ images }) => count(images, 'key image'),
  KeyImagesForetold: ({ images }) => count(images, 'key image'),
  SpendsLearned: ({ spends, unplaced }) => `${count(spends, 'spend')}, ${unplaced.length} of them not placed`,
  OutputsImported: ({ offset, outputs }) => `${count(outputs, 'output')} from number ${offset} on`,
  TransactionSigned: ({ txHash, txKeys }) => `${txHash}, ${count(txKeys, 'key')} kept`,
  MultisigRound: ({ account: { threshold, signers, roundsComplete } }) =>
    `${threshold} of ${count(signers, 'signer')}, round ${roundsComplete} done`,
  MultisigNoncesTold: ({ keys }) => `of ${count(keys, 'output')}`,
  MultisigNoncesUsed: ({ keys }) => `of ${count(keys, 'output')}`,
  MultisigInfoImported: ({ signers }) =>
    `${count(signers, 'signer')}: ${signers.map(({ outputs }) => count(outputs, 'output')).join(', ')}`,
  NetworkFound: ({ network }) => network,
  TransactionsTold: ({ transactions }) =>
    [
      count(transactions, 'transaction'),
      ...transactions.map(({ txHash, txKeys }) => `  ${txHash}, ${count(txKeys, 'key')} kept`),
    ].join('\n'),
  LookaheadSet: ({ lookahead: { major, minor } }) => `${major} accounts, ${minor} addresses each`,
  AccountAdded: ({ label }, _, telling) => written(label, telling),
  AccountsSet: ({ accounts, used }, _, telling) =>
    [
      `${count(accounts, 'account')}, ${used.length} addresses used`,
      ...(telling.labels ? accounts.map((labels, major) => `  ${major}: ${labels.map(quoted).join(' ')}`) : []),
    ].join('\n'),
  SubaddressAdded: ({ major, label }, _, telling) => `in account ${major}, ${written(label, telling)}`,
  Labelled: ({ index, label }, _, telling) => `${place(index)}, ${written(label, telling)}`,
  RingsChosen: ({ rings }) =>
    `${count(rings, 'ring')}: ${rings.map(({ members, asked: requested }) => `${requested?.length ?? 'none'} asked, ${members.length} chosen`).join('; ')}`,
  TransactionBuilt: ({ tx }, _, telling) => {
    const { txHash, blob, weight, inputs, destinations, account, builtAt, txKeys, fee } = tx;
    const paid = destinations.reduce((all, { amount }) => all + amount, 0n);
    const size = `${blob.length / 2} bytes, weight ${weight}`;
    const inside = `${count(inputs, 'input')} of account ${account}, ${count(destinations, 'payee')}, ${count(txKeys, 'key')} kept`;
    const sums = telling.amounts ? `, paid ${formatAmount(paid)}, fee ${formatAmount(fee)}` : '';
    return `${txHash}, ${size}, ${inside}, made ${time(builtAt)}${sums}`;
  },
  TransactionSending: ({ txHash, at }) => `${txHash}, ${time(at)}`,
  TransactionAccepted: ({ txHash, at }) => `${txHash}, ${time(at)}`,
  TransactionFailed: ({ txHash, at, reason }) => `${txHash}, ${time(at)}: ${quoted(reason)}`,
  RefusalSettled: ({ txHash }) => txHash,
  Noted: ({ txHash, note }, _, telling) => `${txHash}, ${written(note, telling)}`,
  Frozen: ({ key }, names) => names.of(key),
  Thawed: ({ key }, names) => names.of(key),
  OutputNamed: ({ key, name }, names, telling) => `${names.of(key)}, ${written(name, telling)}`,
  AttributeSet: ({ key, value }, _, telling) => `${attribute(key, telling)}, a value of ${value.length} characters`,
  ContactSet: ({ id, contact }, _, telling) =>
    `${id}, ${contact === undefined ? 'removed' : written(contact.description, telling)}`,
  RestoreHeightSet: ({ height }) => `height ${height}`,
};

/** An event as text, for debugging: kinds, heights, counts and hashes, and no secret. For an event of a later version only its kind. */
export function describeEvent(event: WalletEvent, outputs: OutputNames, telling: DescribeOptions): string {
  const inWords = DESCRIPTIONS[event.type] as Describe<WalletEvent['type']> | undefined;
  try {
    return inWords === undefined ? 'of a later version' : inWords(event as never, outputs, telling);
  } catch {
    return 'cannot be read';
  }
}
