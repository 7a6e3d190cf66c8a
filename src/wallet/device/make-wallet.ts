import { loadCrypto } from '../../crypto/index.ts';
import { encodeAddress } from '../../protocol/address.ts';
import { assemble, type Birth, DEFAULT_LANGUAGE, type NewWallet } from '../create-wallet.ts';
import { WalletError } from '../errors.ts';
import type { SpendDevice } from './port.ts';

/**
 * A wallet whose spend key stays on a device. The view key is exported once, after its owner has agreed on the device, so that scanning
 * needs no device.
 * @throws WalletError `wrong-network`, `bad-key`; DeviceError `refused` and others
 */
export async function walletFromDevice(
  device: Pick<SpendDevice, 'keys' | 'network' | 'viewKey'>,
  birth: Birth,
): Promise<NewWallet> {
  await loadCrypto();
  const { network } = birth;
  const own = network === 'regtest' ? 'mainnet' : network;
  if (device.network !== own)
    throw new WalletError('wrong-network', `expected the device to be set to ${own}`, { network: device.network });
  const viewKey = await device.viewKey();
  const address = encodeAddress({ network, kind: 'standard', ...device.keys, paymentId: undefined });
  return assemble({ spendKey: undefined, viewKey, seedLanguage: DEFAULT_LANGUAGE }, address, birth, 'device');
}
