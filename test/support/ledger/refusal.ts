/** A status other than 9000. Any except the owner's refusal ends the app. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status.toString(16)}`);
    this.status = status;
  }
}

export const DENIED = 0x6982;

export function demand(holds: boolean, status: number): asserts holds {
  if (!holds) throw new Refusal(status);
}
