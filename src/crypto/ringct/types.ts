/** A ring member: its one-time public key and its commitment, 32 bytes each. */
export interface RingMember {
  readonly key: Uint8Array;
  readonly commitment: Uint8Array;
}

/** CLSAG: one response a member, c1 and the commitment key image divided by 8. 32 bytes each. The wire's form. */
export interface ClsagSignature {
  readonly s: readonly Uint8Array[];
  readonly c1: Uint8Array;
  readonly D: Uint8Array;
}

/** Bulletproofs+ range proof; its points are divided by 8. 32 bytes each. The wire's form. */
export interface BulletproofPlusProof {
  readonly A: Uint8Array;
  readonly A1: Uint8Array;
  readonly B: Uint8Array;
  readonly r1: Uint8Array;
  readonly s1: Uint8Array;
  readonly d1: Uint8Array;
  readonly L: readonly Uint8Array[];
  readonly R: readonly Uint8Array[];
}

/** A range proof and the commitments it is about, as on the wire (outPk: not divided by 8). */
export interface RangeProofItem {
  readonly proof: BulletproofPlusProof;
  readonly commitments: readonly Uint8Array[];
}
