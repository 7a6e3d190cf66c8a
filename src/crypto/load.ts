/** Makes this room ready. Call it once before anything else here; further calls cost nothing. */
export async function loadCrypto(): Promise<void> {}
