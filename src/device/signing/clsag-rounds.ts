import { asciiToBytes, concatBytes } from '../../base/index.ts';
import { G, hashToEc, hashToScalar, multiScalarMulVartime, pointSub, type RingMember, scalarMul } from '../../crypto/index.ts';

/** Common values of all rounds of one ring. 32 bytes each; nothing secret. */
export interface RingFacts {
  readonly ring: readonly RingMember[];
  readonly pseudoOut: Uint8Array;
  readonly message: Uint8Array;
  readonly keyImage: Uint8Array;
  /** z·H, and the same divided by 8, as the signature has it. */
  readonly D: Uint8Array;
  readonly dOver8: Uint8Array;
}

const domain = (name: string): Uint8Array => concatBytes(asciiToBytes(name), new Uint8Array(32 - name.length));
const [AGGREGATE_KEY, AGGREGATE_COMMITMENT] = [domain('CLSAG_agg_0'), domain('CLSAG_agg_1')];
const ROUND = domain('CLSAG_round');

/** The rounds of a CLSAG (rctSigs.cpp, CLSAG_Gen) as far as they are public: what is hashed in each, and where the next begins. */
export class ClsagRounds {
  readonly #facts: RingFacts;
  readonly #head: readonly Uint8Array[];
  readonly weights: { readonly muP: Uint8Array; readonly muC: Uint8Array };

  constructor(facts: RingFacts) {
    const { ring, pseudoOut, message, keyImage, dOver8 } = facts;
    const members = [...ring.map(({ key }) => key), ...ring.map(({ commitment }) => commitment)];
    const aggregate = [...members, keyImage, dOver8, pseudoOut];
    this.#facts = facts;
    this.#head = [ROUND, ...members, pseudoOut, message];
    this.weights = { muP: hashToScalar(AGGREGATE_KEY, ...aggregate), muC: hashToScalar(AGGREGATE_COMMITMENT, ...aggregate) };
  }

  /** The items that a round hashes, 2·n + 5 of 32 bytes. */
  items(left: Uint8Array, right: Uint8Array): readonly Uint8Array[] {
    return [...this.#head, left, right];
  }

  /** L and R of a member, from its response and its challenge. */
  ends(member: number, response: Uint8Array, challenge: Uint8Array): readonly [Uint8Array, Uint8Array] {
    const { ring, pseudoOut, keyImage, D } = this.#facts;
    const { key, commitment } = ring[member]!;
    const [p, c] = [scalarMul(challenge, this.weights.muP), scalarMul(challenge, this.weights.muC)];
    const left = multiScalarMulVartime([response, p, c], [G, key, pointSub(commitment, pseudoOut)]);
    const right = multiScalarMulVartime([response, p, c], [hashToEc(key), keyImage, D]);
    return [left, right];
  }
}
