import { describe, expect, it } from 'vitest';
import { readRecipients } from '../../src/app/services/recipient-list.ts';

const ADDRESS = `4${'A'.repeat(94)}`;
const INTEGRATED = `4${'B'.repeat(105)}`;
const CONTACTS = [
  { id: '1', description: 'Ana', address: ADDRESS },
  { id: '2', description: 'Ana Lima', address: INTEGRATED },
  { id: '3', description: 'Bo', address: ADDRESS },
  { id: '4', description: 'bo', address: INTEGRATED },
];
const COIN = 10n ** 12n;
const read = (text: string) => readRecipients(text, CONTACTS);

describe('a list of recipients as text', () => {
  it('reads an address and an amount, whatever parts them and whichever comes first', () => {
    for (const line of [
      `${ADDRESS}, 1.5`,
      `${ADDRESS},1,5`,
      `${ADDRESS} 1.5 XMR`,
      `${ADDRESS}\t1,5`,
      `"${ADDRESS}";"1,5"`,
      `1.5 ${ADDRESS}`,
      `address,amount\r\n${ADDRESS},1.5\r\n\r\n`,
      `\u202a\u200b${ADDRESS}\u202c, \u200f1.5\ufeff`,
    ])
      expect(read(line), line).toMatchObject({ recipients: [{ address: ADDRESS, amount: (COIN * 3n) / 2n }], refused: [] });
    expect(read(`${INTEGRATED} 2`).recipients).toEqual([{ line: 1, address: INTEGRATED, amount: 2n * COIN }]);
  });

  it('reads names of the address book, and leaves OpenAlias names to be looked up', () => {
    expect(read('ana, 1,5\n\nAna Lima 2\ndonate@example.org: 3')).toEqual({
      recipients: [
        { line: 1, address: ADDRESS, amount: (COIN * 3n) / 2n },
        { line: 3, address: INTEGRATED, amount: 2n * COIN },
        { line: 4, address: 'donate@example.org', amount: 3n * COIN },
      ],
      refused: [],
    });
  });

  it('refuses every line that it cannot read whole, and says which', () => {
    const refused = (line: string, problem: string, name = '') =>
      expect(read(`${ADDRESS}, 1\n${line}`), line).toEqual({
        recipients: [{ line: 1, address: ADDRESS, amount: COIN }],
        refused: [{ line: 2, problem, name }],
      });
    refused('0.5', 'line-form');
    refused(', 0.5', 'line-form');
    refused('0.5, 0.5', 'line-form');
    refused(`Ana, ${ADDRESS}, 0.5`, 'line-form');
    refused(`${ADDRESS} ${ADDRESS} 0.5`, 'amount-format');
    refused(ADDRESS, 'amount-missing');
    refused('Ana', 'amount-missing');
    refused('Ana, much', 'amount-format');
    refused('Ana, 1,500', 'amount-two-ways');
    refused('Ana, 1.500,00', 'amount-marks');
    refused('Ana, 0', 'amount-zero');
    refused('Ana, 0.0000000000001', 'amount-decimals');
    refused('Bo, 1', 'name-twice', 'Bo');
    refused('Eve, 1', 'name-unknown', 'Eve');
    refused(`${ADDRESS.slice(1)}, 1`, 'name-unknown', ADDRESS.slice(1));
    refused('address, amount', 'name-unknown', 'address');
    expect(read(' \n\n')).toEqual({ recipients: [], refused: [] });
  });
});
