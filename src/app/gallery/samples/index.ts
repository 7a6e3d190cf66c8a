import type { Entry } from '../sample.ts';
import { codes } from './codes.ts';
import { devices } from './devices.ts';
import { group } from './group.ts';
import { home } from './home.ts';
import { more } from './more.ts';
import { paper } from './paper.ts';
import { proofs } from './proofs.ts';
import { sending } from './sending.ts';
import { settings } from './settings.ts';
import { shared } from './shared.ts';

/** Every component of `src/app/components`, by its path there; a test holds the list against the folder. */
export const entries: Readonly<Record<string, Entry>> = {
  ...{ ...shared, ...more, ...sending, ...codes, ...group, ...devices, ...settings, ...proofs, ...home, ...paper },
};
