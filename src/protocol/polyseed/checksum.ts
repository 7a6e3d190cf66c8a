/**
 * Arithmetic of Polyseed's checksum: the words of a seed are the coefficients of a polynomial over the field of 2^11 elements, the
 * first of which makes the polynomial vanish at 2 (tevador/polyseed, gf.c).
 */

const FIELD = 2048;

/** x¹¹ + x² + 1 */
const MODULUS = 0x805;

const double = (element: number) => (element < FIELD / 2 ? 2 * element : (2 * element) ^ MODULUS);

/** The polynomial's value at 2, with coefficients from the constant one up, 11 bits each. */
export const evaluateAtTwo = (coefficients: readonly number[]): number =>
  coefficients.reduceRight((value, coefficient) => double(value) ^ coefficient, 0);
