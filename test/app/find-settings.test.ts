import { describe, expect, it } from 'vitest';
import { settingsKeys } from '../../scripts/texts.ts';
import { m } from '../../src/app/language/messages.ts';
import { findSettings } from '../../src/app/services/find-settings.ts';

const ALL = [
  { of: 'Safety', title: m.set_safety, text: m.set_safety_text },
  { of: 'Daemon', title: m.set_daemon, text: m.set_daemon_text },
  { of: 'Money', title: m.set_money, text: m.set_money_text },
  { title: m.safety_unlock, text: m.pin },
];
const found = (query: string): readonly string[] => findSettings(ALL, query).map(({ title }) => title());

describe('settings are found', () => {
  it('by their name before their line, and by their line before what their page says', () => {
    expect(found('node')[0]).toBe('Node');
    expect(found('Onion')).toEqual(['Node']);
    expect(found('pin')).toEqual(['Unlocking', 'Safety']);
    expect(found('block explorer')).toEqual(['Money and links']);
  });

  it('whatever stands around a word or how wide or accented it is; without a word, none', () => {
    for (const query of ['.*node(', 'ＮＯＤＥ', 'nóde', '  "Node" ']) expect(found(query)[0], query).toBe('Node');
    for (const query of ['', '.*', '[', '\\', '🔒', '\u0301', '\ufe0f', 'node zzzz']) expect(found(query), query).toEqual([]);
  });

  it('by any currency, as people type it', () => {
    for (const query of ['euro', 'Euros', 'EUR', 'dollar', 'dollars', 'usd', 'zloty', 'yen'])
      expect(found(query), query).toEqual(['Money and links']);
  });

  it('by the texts of every part of their page', () => {
    const keys = settingsKeys();
    for (const { of } of ALL) if (of !== undefined) expect(keys[of]?.length, of).toBeGreaterThan(10);
    expect(keys.Daemon).toContain('nodes_use');
    expect(keys.Safety).toContain('pin_add');
  });
});
