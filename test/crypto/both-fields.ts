import { beforeAll, describe } from 'vitest';
import type { FieldModule } from '../../src/crypto/field-module.ts';
import { reloadCrypto } from '../../src/crypto/load.ts';

/** Defines the same tests once for each field module of the kernels. */
export function inBothFields(name: string, define: () => void): void {
  for (const force of ['fma', 'ext'] as const satisfies readonly FieldModule[]) {
    describe(`${name} [${force}]`, () => {
      beforeAll(() => reloadCrypto({ force }));
      define();
    });
  }
}
