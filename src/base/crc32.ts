const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** CRC-32 as in zip and Ethernet: finds accidents, not forgers. */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (let i = 0; i < bytes.length; i++) value = (value >>> 8) ^ TABLE[(value ^ bytes[i]!) & 0xff]!;
  return ~value >>> 0;
}
