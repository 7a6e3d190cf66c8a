import { basename, dirname, resolve } from 'node:path';
import { messageOf } from '../base/index.ts';
import { loadCrypto } from '../crypto/index.ts';
import { ledgerByName } from '../device/ledger-by-name.ts';
import { createInlineScanPool } from '../scan/index.ts';
import { FileJournalStore } from '../storage/file-store.ts';
import { isWalletName, WALLET_NAME_EXPECTED } from '../storage/index.ts';
import { environment, Wallet, walletFromDevice, withOpenNetwork } from '../wallet/index.ts';
import type { Command } from './command.ts';
import { CliError } from './errors.ts';
import { type FlagValues, numberFlag, textFlag } from './flags.ts';
import { passwordFlags, passwordOf } from './password.ts';
import { deviceOf } from './wallet-rpc/flags.ts';

const SUFFIX = /\.nightjar$/;

async function run(values: FlagValues): Promise<void> {
  const path = textFlag(values, 'wallet-file');
  if (path === undefined) throw new CliError('--wallet-file must say where the wallet is to be');
  if (values.testnet === true && values.stagenet === true)
    throw new CliError("Can't specify more than one of --testnet and --stagenet");
  const network = values.testnet === true ? 'testnet' : values.stagenet === true ? 'stagenet' : 'mainnet';
  const height = numberFlag(values, 'restore-height', 0, 0, Number.MAX_SAFE_INTEGER);
  const name = basename(path).replace(SUFFIX, '');
  const store = new FileJournalStore(dirname(resolve(path)));
  // Checked here so that nobody has to agree on the device to what cannot be done.
  if (!isWalletName(name)) throw new CliError(`failed to generate new wallet: ${WALLET_NAME_EXPECTED}`);
  if (store.has(name)) throw new CliError('failed to generate new wallet: a wallet of this name is there already');
  const password = (await passwordOf(passwordFlags(values))) ?? '';
  await loadCrypto();
  try {
    const device = await ledgerByName(deviceOf(values))();
    try {
      console.log(`${device.label}, app ${device.appVersion}: say yes there to the export of the view key`);
      const made = await walletFromDevice(device, { network, from: { height }, now: Math.floor(Date.now() / 1000) });
      const env = environment({ store, scanPool: createInlineScanPool });
      // Mainnet and regtest have the same addresses: the first daemon decides.
      const open = network === 'mainnet' ? withOpenNetwork(made) : made;
      const wallet = await Wallet.create(env, name, password, open);
      console.log(`Generated new wallet on hw device: ${wallet.description.primaryAddress}`);
      await wallet.close();
    } finally {
      await device.close();
    }
  } catch (error) {
    throw new CliError(`failed to generate new wallet: ${messageOf(error)}`);
  }
}

export const generateFromDeviceCommand: Command = {
  summary: 'makes a wallet whose spend key stays on a Ledger',
  flags: {
    'wallet-file': { value: 'path', text: 'where the wallet is to be, with or without .nightjar' },
    'hw-device': { value: 'device', text: 'Ledger (the default), or Ledger:tcp://HOST:PORT for an emulator' },
    password: { value: 'text', text: "the wallet's password" },
    'password-file': { value: 'file', text: 'a file with the password' },
    'restore-height': { value: 'height', text: 'scan from this block (default 0)' },
    testnet: { text: 'testnet: the device must be set to it' },
    stagenet: { text: 'stagenet: the device must be set to it' },
  },
  run,
};
