let opened = (): boolean => false;

/** Whether a wallet is open: only then it can be locked and unlocked to begin anew. */
export const isOpen = (): boolean => opened();

/** Called once, by whoever keeps the open wallet. */
export const tellOpen = (open: () => boolean): void => {
  opened = open;
};
