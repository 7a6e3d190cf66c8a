import { readFileSync } from 'node:fs';
import { asArray, asObject, asText, asU64, hexToBytes, type JsonObject, parseJson } from '../../../src/base/index.ts';

/** What test/fixtures/make.ts took from monerod and monero-wallet-rpc. */
const file = asObject(parseJson(readFileSync(new URL('../../fixtures/regtest.json', import.meta.url), 'utf8')));

const objects = (name: string): JsonObject[] => asArray(file[name], name).map((item) => asObject(item, name));

export const fixture = {
  seed: asText(file.seed),
  /** One in each language of the reference. */
  seeds: objects('seeds').map((entry) => ({
    language: asText(entry.language),
    seed: asText(entry.seed),
    spendKey: asText(entry.spendKey),
    viewKey: asText(entry.viewKey),
    address: asText(entry.address),
  })),
  /** The address behind a seed and a passphrase. */
  offset: {
    seed: asText(asObject(file.offset).seed),
    passphrase: asText(asObject(file.offset).passphrase),
    address: asText(asObject(file.offset).address),
  },
  address: asText(file.address),
  /** 0/1, 0/2, 0/3 and 1/1. */
  subaddresses: asArray(file.subaddresses).map((text) => asText(text)),
  integrated: asText(file.integrated),
  paymentId: asText(file.paymentId),
  transactions: objects('transactions').map((tx) => ({
    name: asText(tx.name),
    hash: asText(tx.hash),
    whole: hexToBytes(asText(tx.whole)),
    pruned: hexToBytes(asText(tx.pruned)),
    prunableHash: asText(tx.prunableHash),
    weight: Number(asU64(tx.weight)),
    fee: asU64(tx.fee),
  })),
  blocks: objects('blocks').map((block) => ({
    height: Number(asU64(block.height)),
    blob: hexToBytes(asText(block.blob)),
    id: asText(block.id),
    minerTxHash: asText(block.minerTxHash),
    prevId: asText(block.prevId),
    weight: Number(asU64(block.weight)),
    reward: asU64(block.reward),
  })),
  uris: objects('uris').map((uri) => ({
    address: asText(uri.address),
    amount: uri.amount === undefined ? undefined : asU64(uri.amount),
    description: uri.tx_description === undefined ? undefined : asText(uri.tx_description),
    recipientName: uri.recipient_name === undefined ? undefined : asText(uri.recipient_name),
    uri: asText(uri.uri),
  })),
  feeEstimate: asArray(asObject(file.feeEstimate).fees).map((fee) => asU64(fee)),
  getBlocks: {
    request: hexToBytes(asText(asObject(file.getBlocks).request)),
    reply: hexToBytes(asText(asObject(file.getBlocks).reply)),
  },
};
