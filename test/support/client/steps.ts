import { connectToWalletRpc, MoneroMessageSignatureType, MoneroTxPriority } from 'monero-ts';
import { shapeOf } from '../rpc-pair.ts';
import { type Day, history, inOrder, made, mine, refusal, type Step } from './day.ts';

const XMR = 1_000_000_000_000n;
const PAYMENT_ID = '1122334455667788';
const NOBODY = 'ab'.repeat(32);
/** The day's wallet. */
const WALLET = { path: 'day', password: 'first' };

const hashOf = ({ hashes }: Day, name: string): string => {
  const hash = hashes.get(name);
  if (hash === undefined) throw new Error(`expected a transaction "${name}" from an earlier step`);
  return hash;
};

/** The client leaves polling the daemon to us: it sees everything when it asks. */
const opening: readonly Step[] = [
  ['version', async ({ wallet }) => wallet.getVersion()],
  [
    'a wrong login',
    async ({ url, user }) => {
      const other = await connectToWalletRpc({ uri: url, username: user, password: 'wrong' });
      return refusal(() => other.getVersion());
    },
  ],
  ['no wallet yet', ({ wallet }) => refusal(() => wallet.getPrimaryAddress())],
  [
    'a new wallet',
    async ({ wallet }) => {
      await wallet.createWallet({ path: 'new', password: 'pw', language: 'German' });
      const words = (await wallet.getSeed()).split(' ').length;
      return [words, await wallet.getPath(), shapeOf(await wallet.getPrivateSpendKey())];
    },
  ],
  ['its name is taken', ({ wallet }) => refusal(() => wallet.createWallet({ path: 'new', password: 'pw' }))],
  ['a wallet that is not there', ({ wallet }) => refusal(() => wallet.openWallet('nobody', 'pw'))],
  [
    'a wallet of words',
    async ({ wallet, seed }) => {
      await wallet.createWallet({ ...WALLET, seed, restoreHeight: 0 });
      return [await wallet.getSeed(), await wallet.getPrivateViewKey(), await wallet.getPrivateSpendKey()];
    },
  ],
  ['seed languages', async ({ wallet }) => wallet.getSeedLanguages()],
  [
    'the daemon',
    async ({ wallet, daemon }) => {
      await wallet.setDaemonConnection({ uri: daemon.url }, true);
      const reached = await wallet.isConnectedToDaemon();
      return [reached, (await wallet.getDaemonConnection()).getUri() === daemon.url];
    },
  ],
  [
    'its own pace',
    async ({ wallet }) => {
      await wallet.startSyncing(10_000);
      await wallet.stopSyncing();
    },
  ],
  [
    'sync',
    async ({ wallet }) => {
      await wallet.sync();
      return [await wallet.getHeight(), await wallet.isViewOnly(), await wallet.isMultisig()];
    },
  ],
  ['what was mined', async ({ wallet }) => history(await wallet.getTxs())],
  [
    'receive',
    async ({ wallet, daemon, stranger }) => {
      const before = await wallet.getBalance();
      await daemon.generateBlocks(2, await wallet.getPrimaryAddress());
      await daemon.generateBlocks(3, stranger);
      await wallet.sync();
      const waits = await wallet.getNumBlocksToUnlock();
      return [(await wallet.getBalance()) - before, await wallet.getUnlockedBalance(), waits];
    },
  ],
];

const addresses: readonly Step[] = [
  ['an account', async ({ wallet }) => (await wallet.createAccount('shop')).toJson()],
  ['a subaddress', async ({ wallet }) => (await wallet.createSubaddress(0, 'till')).toJson()],
  ['another', async ({ wallet }) => (await wallet.createSubaddress(1)).toJson()],
  [
    'its label',
    async ({ wallet }) => {
      await wallet.setSubaddressLabel(1, 1, 'rent');
      return (await wallet.getSubaddress(1, 1)).toJson();
    },
  ],
  ['accounts', async ({ wallet }) => (await wallet.getAccounts(true)).map((one) => one.toJson())],
  ['subaddresses', async ({ wallet }) => (await wallet.getSubaddresses(0)).map((one) => one.toJson())],
  ['an address by index', async ({ wallet }) => [await wallet.getAddress(1, 1), await wallet.getAddress(0, 0)]],
  ['an index by address', async ({ wallet }) => (await wallet.getAddressIndex(await wallet.getAddress(1, 1))).toJson()],
  ['whose address it is not', async ({ wallet, stranger }) => refusal(() => wallet.getAddressIndex(stranger))],
  [
    'tags',
    async ({ wallet }) => {
      await wallet.tagAccounts('trade', [1]);
      await wallet.setAccountTagLabel('trade', 'what the shop takes');
      const tags = await wallet.getAccountTags();
      const tagged = (await wallet.getAccounts(false, 'trade')).map((one) => one.toJson());
      await wallet.untagAccounts([1]);
      return [tags, tagged, (await wallet.getAccountTags()).length];
    },
  ],
  [
    'an integrated address',
    async ({ wallet, stranger }) => {
      const own = await wallet.getIntegratedAddress(undefined, PAYMENT_ID);
      const others = await wallet.getIntegratedAddress(stranger, PAYMENT_ID);
      const split = await wallet.decodeIntegratedAddress(others.getIntegratedAddress());
      return [own.toJson(), others.toJson(), split.toJson()];
    },
  ],
  [
    'a payment URI',
    async ({ wallet, stranger }) => {
      const wanted = { address: stranger, amount: 5n * XMR, recipientName: 'the shop', note: 'rent & bread' };
      const uri = await wallet.getPaymentUri(wanted as never);
      return [uri, (await wallet.parsePaymentUri(uri)).toJson()];
    },
  ],
  ['a URI that is none', ({ wallet }) => refusal(() => wallet.parsePaymentUri('bitcoin:x'))],
  [
    'the address book',
    async ({ wallet, stranger }) => {
      const index = await wallet.addAddressBookEntry(stranger, 'a stranger');
      await wallet.addAddressBookEntry(await wallet.getAddress(1, 0), 'the shop');
      await wallet.editAddressBookEntry(index, false, undefined, true, 'a friend');
      const before = (await wallet.getAddressBookEntries()).map((one) => one.toJson());
      await wallet.deleteAddressBookEntry(index);
      return [index, before, (await wallet.getAddressBookEntries([0])).map((one) => one.toJson())];
    },
  ],
  [
    'attributes',
    async ({ wallet }) => {
      await wallet.setAttribute('colour', 'red');
      return [await wallet.getAttribute('colour'), await wallet.getAttribute('taste')];
    },
  ],
];

const sending: readonly Step[] = [
  [
    'a transfer to several',
    async (day) => {
      const { wallet, stranger } = day;
      const destinations = [
        { address: stranger, amount: 2n * XMR },
        { address: await wallet.getAddress(0, 1), amount: 3n * XMR },
        { address: await wallet.getAddress(1, 0), amount: 4n * XMR },
        { address: await wallet.getAddress(1, 1), amount: 5n * XMR },
      ];
      return made(day, 'several', [await wallet.createTx({ accountIndex: 0, destinations, relay: true })]);
    },
  ],
  [
    'a transfer that may be split',
    async (day) => {
      const { wallet, stranger } = day;
      const address = (await wallet.getIntegratedAddress(stranger, PAYMENT_ID)).getIntegratedAddress();
      const priority = MoneroTxPriority.ELEVATED;
      return made(day, 'split', await wallet.createTxs({ accountIndex: 0, address, amount: XMR, priority, relay: true }));
    },
  ],
  [
    'a transfer made now and sent later',
    async (day) => {
      const { wallet, stranger: address } = day;
      const before = await wallet.getBalance();
      const tx = await wallet.createTx({ accountIndex: 0, address, amount: XMR / 2n, relay: false });
      const unchanged = (await wallet.getBalance()) === before;
      return [made(day, 'later', [tx]), unchanged, (await wallet.relayTx(tx)) === tx.getHash()];
    },
  ],
  [
    'on its way',
    async ({ wallet }) => {
      await wallet.sync();
      return history(await wallet.getTxs({ inTxPool: true }));
    },
  ],
  ['what is left', async ({ wallet, fees }) => (await wallet.getBalance()) + fees],
  [
    'more than there is',
    async ({ wallet, stranger: address }) =>
      refusal(() => wallet.createTx({ accountIndex: 0, address, amount: 10n ** 7n * XMR, relay: true })),
  ],
  [
    'to nobody',
    async ({ wallet }) => refusal(() => wallet.createTx({ accountIndex: 0, address: 'nobody', amount: XMR, relay: true })),
  ],
  [
    'from an account that is not there',
    async ({ wallet, stranger: address }) => refusal(() => wallet.createTx({ accountIndex: 9, address, amount: XMR })),
  ],
  [
    'in the chain',
    async (day) => {
      await mine(day, 20);
      const { wallet, fees } = day;
      return [await wallet.getHeight(), (await wallet.getBalance()) + fees, await wallet.getBalance(1)];
    },
  ],
];

const looking: readonly Step[] = [
  ['all of history', async ({ wallet }) => history(await wallet.getTxs())],
  ['what went out', async ({ wallet }) => history(await wallet.getTxs({ isOutgoing: true, isConfirmed: true }))],
  ['one transaction', async (day) => history([(await day.wallet.getTx(hashOf(day, 'several')))!])],
  ['a transaction of nobody', async ({ wallet }) => (await wallet.getTx(NOBODY)) === undefined],
  [
    'with outputs',
    async (day) => {
      const [tx] = await day.wallet.getTxs({ hashes: [hashOf(day, 'several')], includeOutputs: true });
      return inOrder((tx!.getOutputsWallet() ?? []).map((one) => [one.getAccountIndex(), one.getSubaddressIndex()]));
    },
  ],
  [
    'transfers in',
    async ({ wallet }) =>
      inOrder((await wallet.getIncomingTransfers({ accountIndex: 1 })).map((one) => [one.getSubaddressIndex(), one.getAmount()])),
  ],
  [
    'transfers out',
    async ({ wallet }) =>
      inOrder(
        (await wallet.getOutgoingTransfers({ accountIndex: 0 })).map((one) => [one.getAmount(), one.getSubaddressIndices()]),
      ),
  ],
  [
    'outputs',
    async ({ wallet }) =>
      inOrder(
        (await wallet.getOutputs({ accountIndex: 1, isSpent: false })).map((one) => ({
          account: one.getAccountIndex(),
          subaddress: one.getSubaddressIndex(),
          amount: one.getAmount(),
          keyImage: shapeOf(one.getKeyImage().getHex()),
          frozen: one.getIsFrozen(),
          place: shapeOf(one.getIndex()),
        })),
      ),
  ],
  ['outputs spent', async ({ wallet }) => (await wallet.getOutputs({ isSpent: true })).length > 0],
  [
    'notes',
    async (day) => {
      const hash = hashOf(day, 'several');
      await day.wallet.setTxNotes([hash, NOBODY], ['rent', 'bread ✓']);
      return [await day.wallet.getTxNotes([hash, NOBODY]), (await day.wallet.getTx(hash))!.getNote()];
    },
  ],
  ['one note', async (day) => day.wallet.getTxNote(hashOf(day, 'several'))],
];

const proofs: readonly Step[] = [
  [
    'a transaction key',
    async (day) => {
      const { wallet, stranger } = day;
      const hash = hashOf(day, 'several');
      const key = await wallet.getTxKey(hash);
      const own = await wallet.checkTxKey(hash, key, await wallet.getAddress(1, 0));
      const check = await wallet.checkTxKey(hash, key, stranger);
      return [shapeOf(key), received(check), received(own)];
    },
  ],
  ['the key of nobody', ({ wallet }) => refusal(() => wallet.getTxKey(NOBODY))],
  [
    'a proof of payment',
    async (day) => {
      const { wallet, stranger } = day;
      const hash = hashOf(day, 'several');
      const proof = await wallet.getTxProof(hash, stranger, 'for the shop');
      const good = await wallet.checkTxProof(hash, stranger, 'for the shop', proof);
      const other = await wallet.checkTxProof(hash, stranger, 'for another', proof);
      return [shapeOf(proof.slice(0, 10)), proof.length, received(good), other.getIsGood()];
    },
  ],
  [
    'a proof of receipt',
    async (day) => {
      const hash = hashOf(day, 'several');
      const address = await day.wallet.getAddress(1, 1);
      const proof = await day.wallet.getTxProof(hash, address, '');
      return [proof.slice(0, 9), received(await day.wallet.checkTxProof(hash, address, '', proof))];
    },
  ],
  [
    'a proof of spending',
    async (day) => {
      const hash = hashOf(day, 'split');
      const proof = await day.wallet.getSpendProof(hash, 'mine');
      const checks = [await day.wallet.checkSpendProof(hash, 'mine', proof), await day.wallet.checkSpendProof(hash, 'no', proof)];
      return [proof.slice(0, 12), checks];
    },
  ],
  [
    'a proof of reserve',
    async ({ wallet }) => {
      const own = await wallet.getPrimaryAddress();
      const all = await wallet.getReserveProofWallet('rich');
      const some = await wallet.getReserveProofAccount(1, 6n * XMR, 'rich');
      const checks = [await wallet.checkReserveProof(own, 'rich', all), await wallet.checkReserveProof(own, 'rich', some)];
      const spent = checks.map((one) => [one.getIsGood(), one.getUnconfirmedSpentAmount()]);
      const enough = [
        checks[0]!.getTotalAmount() >= (await wallet.getBalance()) - 70n * XMR,
        checks[1]!.getTotalAmount() >= 6n * XMR,
      ];
      return [all.slice(0, 14), some.slice(0, 14), spent, enough, (await wallet.checkReserveProof(own, 'poor', all)).getIsGood()];
    },
  ],
  [
    'signatures',
    async ({ wallet, stranger }) => {
      const answers: unknown[] = [];
      for (const kind of [MoneroMessageSignatureType.SIGN_WITH_SPEND_KEY, MoneroMessageSignatureType.SIGN_WITH_VIEW_KEY]) {
        const signature = await wallet.signMessage('a message', kind, 1, 1);
        const address = await wallet.getAddress(1, 1);
        answers.push(
          signature.slice(0, 5),
          signature.length,
          (await wallet.verifyMessage('a message', address, signature)).toJson(),
        );
        answers.push((await wallet.verifyMessage('a messagE', address, signature)).toJson());
        answers.push((await wallet.verifyMessage('a message', stranger, signature)).toJson());
      }
      return answers;
    },
  ],
];

interface Check {
  getIsGood(): boolean;
  getReceivedAmount(): bigint;
  getInTxPool(): boolean;
  getNumConfirmations(): number;
}

const received = (check: Check): unknown => [
  check.getIsGood(),
  check.getReceivedAmount(),
  check.getInTxPool(),
  check.getNumConfirmations() >= 10,
];

const outputs: readonly Step[] = [
  [
    'key images',
    async ({ wallet }) => {
      const { keyImages, offset } = await wallet.exportKeyImages(true);
      const imported = await wallet.importKeyImages(keyImages, offset);
      return [keyImages.length, offset, shapeOf(keyImages[0]!.toJson()), imported.getHeight() !== undefined];
    },
  ],
  ['outputs for a cold wallet', async ({ wallet }) => shapeOf((await wallet.exportOutputs(true)).slice(0, 40))],
  [
    'freeze and thaw',
    async ({ wallet }) => {
      const image = (await wallet.getOutputs({ accountIndex: 1, subaddressIndex: 1, isSpent: false }))[0]!.getKeyImage().getHex();
      await wallet.freezeOutput(image);
      const frozen = await wallet.isOutputFrozen(image);
      const unlocked = await wallet.getUnlockedBalance(1, 1);
      await wallet.thawOutput(image);
      return [frozen, unlocked, await wallet.isOutputFrozen(image), await wallet.getUnlockedBalance(1, 1)];
    },
  ],
  ['an output of nobody', ({ wallet }) => refusal(() => wallet.freezeOutput(NOBODY))],
  [
    'sweep one output',
    async (day) => {
      const { wallet, stranger: address } = day;
      const image = (await wallet.getOutputs({ accountIndex: 0, subaddressIndex: 1, isSpent: false }))[0]!.getKeyImage().getHex();
      const tx = await wallet.sweepOutput({ address, keyImage: image, relay: true });
      const outcome = made(day, 'sweep one', [tx]);
      // The stranger pays the fee: the balance falls by the output, whatever the fee.
      day.fees -= tx.getFee();
      return outcome;
    },
  ],
  [
    'sweep an account',
    async (day) => {
      const address = await day.wallet.getAddress(0, 1);
      return made(day, 'sweep account', await day.wallet.sweepUnlocked({ accountIndex: 1, address, relay: true }));
    },
  ],
  ['sweep dust', async ({ wallet }) => (await wallet.sweepDust(false)).length],
  [
    'swept',
    async (day) => {
      await mine(day, 20);
      const { wallet, fees } = day;
      const out = await wallet.getOutgoingTransfers({});
      const from = out.map((one) => [one.getAccountIndex(), one.getSubaddressIndices(), one.getDestinations().length]);
      return [(await wallet.getBalance()) + fees, await wallet.getBalance(1), inOrder(from)];
    },
  ],
];

const closing: readonly Step[] = [
  ['what is spent, again', async ({ wallet }) => wallet.rescanSpent()],
  ['one transaction, again', async (day) => day.wallet.scanTxs([hashOf(day, 'split')])],
  [
    'the chain, again',
    async ({ wallet, fees }) => {
      await wallet.rescanBlockchain();
      await wallet.sync();
      return [await wallet.getHeight(), (await wallet.getBalance()) + fees];
    },
  ],
  ['several signers', async ({ wallet }) => (await wallet.getMultisigInfo()).toJson()],
  ['the usual priority', ({ wallet }) => wallet.getDefaultFeePriority()],
  ['a height by its date', ({ wallet }) => wallet.getHeightByDate(2024, 1, 1)],
  [
    'another password',
    async ({ wallet }) => {
      const refused = await refusal(() => wallet.changePassword('wrong', 'second'));
      await wallet.changePassword(WALLET.password, 'second');
      await wallet.save();
      await wallet.close(true);
      return [refused, await wallet.isClosed(), await refusal(() => wallet.openWallet(WALLET.path, WALLET.password))];
    },
  ],
  [
    'open again',
    async (day) => {
      await day.wallet.openWallet(WALLET.path, 'second');
      const notes = await day.wallet.getTxNotes([NOBODY]);
      return [
        (await day.wallet.getBalance()) + day.fees,
        notes,
        await day.wallet.getAttribute('colour'),
        await day.wallet.isClosed(),
      ];
    },
  ],
  ['stop', ({ wallet }) => wallet.stop()],
];

/** A day's work, in order: later steps depend on earlier ones. */
export const STEPS: readonly Step[] = [...opening, ...addresses, ...sending, ...looking, ...proofs, ...outputs, ...closing];
