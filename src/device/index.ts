/** Hardware wallets: the wallet's port `SpendDevice` on a Ledger, and the transports to one. */
export { ledgerConnector } from './connector.ts';
export { DeviceError } from './errors.ts';
export { LedgerDevice, type LedgerOptions } from './ledger.ts';
export { connectByName } from './transport/by-name.ts';
export type { DeviceTransport } from './transport/port.ts';
