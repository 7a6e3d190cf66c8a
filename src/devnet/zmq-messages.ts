import { bytesToHex as hex, type JsonInput, stringifyJson } from '../base/index.ts';
import { INV_EIGHT, scalarMulPointVartime } from '../crypto/index.ts';
import { type RctBase, type RctPrunable, RctType, type Transaction, type TxInput, type TxOutput } from '../protocol/index.ts';
import type { ChainBlock } from './chain.ts';
import type { DevnetNode, NodeEvent } from './node.ts';
import { minerData } from './rpc/templates.ts';
import { blockJson, bulletproofPlusJson, clsagJson, hexes } from './rpc/tx-json.ts';

/**
 * Messages that a node publishes over ZeroMQ, like release 0.18.5.3 (zmq_pub.cpp): one frame for each message, the topic, a colon and JSON.
 * Its JSON of transactions has other names than the RPC's (json_object.cpp). Older proofs than the current ones are not written: no block
 * has them.
 */

const message = (topic: string, content: JsonInput): string => `${topic}:${stringifyJson(content)}`;

/** Messages of an event, in the reference's order. */
export function zmqMessages(node: DevnetNode, event: NodeEvent): string[] {
  if (event.type === 'transaction') return poolMessages(node, event.id);
  // The chain is complete when a reorganisation's blocks are published: the data are those of its newest.
  if (event.type === 'block') return [...minerMessages(node, event.block), ...chainMessages(event.block)];
  if (event.type === 'reorganised') return blocksFrom(node, event.height, event.came).flatMap(chainMessages);
  return [];
}

/** After a reorganisation each added block is published once more. */
function blocksFrom({ chain }: DevnetNode, height: number, count: number): ChainBlock[] {
  return Array.from({ length: count }, (_, i) => chain.blockAt(height + i)).filter((block) => block !== undefined);
}

function poolMessages({ pool }: DevnetNode, id: string): string[] {
  const entry = pool.get(id);
  if (entry === undefined) return [];
  return [
    message('json-full-txpool_add', [transactionJson(entry.tx)]),
    message('json-minimal-txpool_add', [{ id, blob_size: entry.blob.length, weight: entry.weight, fee: entry.fee }]),
  ];
}

function chainMessages({ block, height, id }: ChainBlock): string[] {
  const minimal = { first_height: height, first_prev_id: hex(block.prevId), ids: [id] };
  return [message('json-full-chain_main', [blockJson(block, transactionJson)]), message('json-minimal-chain_main', minimal)];
}

const minerMessages = (node: DevnetNode, block: ChainBlock): string[] =>
  block.id === node.chain.top.id ? [message('json-full-miner_data', minerData(node))] : [];

function inputJson(input: TxInput): JsonInput {
  if (input.type === 'gen') return { gen: { height: input.height } };
  return { to_key: { amount: input.amount, key_offsets: input.keyOffsets, key_image: hex(input.keyImage) } };
}

function outputJson({ amount, key, viewTag }: TxOutput): JsonInput {
  if (viewTag === undefined) return { amount, to_key: { key: hex(key) } };
  return { amount, to_tagged_key: { key: hex(key), view_tag: hex(Uint8Array.of(viewTag)) } };
}

function transactionJson(tx: Transaction): JsonInput {
  return {
    version: tx.version,
    unlock_time: tx.unlockTime,
    inputs: tx.inputs.map(inputJson),
    outputs: tx.outputs.map(outputJson),
    extra: hex(tx.extra),
    signatures: tx.version === 1 ? (tx.signatures ?? []).map(hexes) : [],
    ringct: tx.version === 1 ? { type: RctType.Null } : ringCtJson(tx.rct, tx.prunable),
  };
}

function ringCtJson(rct: RctBase, prunable: RctPrunable | undefined): JsonInput {
  if (rct.type === RctType.Null) return { type: rct.type };
  return {
    type: rct.type,
    encrypted: rct.ecdhInfo.map(({ mask, amount }) => ({ mask: wide(mask), amount: wide(amount) })),
    commitments: hexes(rct.outPk),
    fee: rct.fee,
    ...(prunable === undefined ? {} : { prunable: prunableJson(rct, prunable) }),
  };
}

/** 32 bytes: the reference keeps all of them although eight are on the wire. */
const wide = (bytes: Uint8Array | undefined): string => hex(bytes ?? new Uint8Array()).padEnd(64, '0');

function prunableJson({ outPk }: RctBase, prunable: RctPrunable): JsonInput {
  // The commitments of a range proof, an eighth of those on the wire.
  const V = outPk.map((commitment) => hex(scalarMulPointVartime(INV_EIGHT, commitment)));
  return {
    range_proofs: [],
    bulletproofs: [],
    bulletproofs_plus: prunable.bulletproofsPlus.map((proof) => ({ V, ...bulletproofPlusJson(proof) })),
    mlsags: [],
    clsags: prunable.clsags.map(clsagJson),
    pseudo_outs: hexes(prunable.pseudoOuts),
  };
}
