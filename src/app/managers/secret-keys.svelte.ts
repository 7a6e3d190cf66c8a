import { isKeyText, keyOf } from '../services/keys.ts';

/** Form fields for a wallet's secret keys. */
export class SecretKeysForm {
  spendKey = $state('');
  viewKey = $state('');
  /** The form was submitted once: from now on field errors are shown. */
  tried = $state(false);
  readonly spendGood = $derived(isKeyText(this.spendKey));
  readonly viewGood = $derived(keyOf(this.viewKey) === '' || isKeyText(this.viewKey));

  /** Fills the fields from a scanned code. */
  fill({ spendKey, viewKey }: { readonly spendKey: string; readonly viewKey?: string | undefined }): void {
    this.spendKey = spendKey;
    this.viewKey = viewKey ?? '';
  }

  /** Shows field errors. Returns whether there are none. */
  check(): boolean {
    this.tried = true;
    return this.spendGood && this.viewGood;
  }

  /** The keys of a form that was checked, 64 hex digits each; a view key that is missing follows from the spend key. */
  get keys(): { readonly spendKey: string; readonly viewKey: string | undefined } {
    return { spendKey: keyOf(this.spendKey), viewKey: keyOf(this.viewKey) || undefined };
  }

  /** Forgets the keys. */
  clear(): void {
    this.spendKey = '';
    this.viewKey = '';
    this.tried = false;
  }
}
