let check = (): boolean => false;

/** Whether a wallet is open. Error texts suggest locking and unlocking only then. */
export const hasOpenWallet = (): boolean => check();

/** Sets the check behind {@link hasOpenWallet}. A callback, so that the error texts need not import the wallet manager. */
export const onOpenWalletCheck = (isOpen: () => boolean): void => {
  check = isOpen;
};
