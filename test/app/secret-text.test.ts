import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import languages from '../../messages/languages.json' with { type: 'json' };
import { holdsKey, mayBeSecret, possibleSeed } from '../../src/app/services/secret-text.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import {
  loadAllPolyseedWordLists,
  loadAllWordLists,
  newPolyseed,
  polyseedToWords,
  seedToWords,
  WordList,
} from '../../src/protocol/index.ts';
import { checkSeed } from '../../workers/seed-check.ts';

const ADDRESS = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const TWELVE = 'river often below cactus mango tulip window garden pencil rocket silver orange';

/** Sentences, verses of equal length, and a tale without Chinese characters. */
const ORDINARY = [
  '我家门前有一棵很高的树每到春天都会开出许多白色的小花，请把昨天买菜的钱转给我，谢谢！这是给妈妈的生日礼物，祝她身体健康，天天开心。',
  '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。白日依山尽，黄河入海流。欲穷千里目，更上一层楼。床前明月光，疑是地上霜。',
  '天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。寒来暑往，秋收冬藏。闰余成岁，律吕调阳。云腾致雨，露结为霜。金生丽水，玉出昆冈。',
  '房租六月已付，水电费另算；快递单号在附件里，收到以后请回复。上海市浦东新区世纪大道一百号国际金融中心大厦三十二层会议室',
  '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。来月分の家賃と電気代です。お母さんへの誕生日の贈り物。',
  'むかしむかし、あるところに、おじいさんとおばあさんがすんでいました。おじいさんはやまへしばかりに、おばあさんはかわへせんたくにいきました。',
  'きのうともだちとたべたおひるごはんのだいきんをはらいますのでかくにんしてくださいどうぞよろしくおねがいいたします',
  'コンビニエンスストアのアルバイトのきゅうりょうをうけとりました。ありがとうございます。またらいげつもよろしくおねがいします。',
];

const holds = async (text: string): Promise<boolean> => (await checkSeed(possibleSeed(text) ?? '')).holdsSeed;

async function heldIn(texts: readonly string[]): Promise<string[]> {
  const told: string[] = [];
  for (const text of texts) if (await holds(text)) told.push(text);
  return told;
}

/** Parts of the page's texts in some languages, forty words each. */
function textsOf(codes: readonly string[]): string[] {
  return codes.flatMap((code) => {
    const texts = Object.values(JSON.parse(readFileSync(`messages/${code}.json`, 'utf8')) as Record<string, unknown>);
    const words = texts
      .filter((text) => typeof text === 'string')
      .join(' ')
      .split(' ');
    return Array.from({ length: Math.ceil(words.length / 500) }, (_, at) => words.slice(500 * at, 500 * at + 40).join(' '));
  });
}

describe('text of a field for something else', () => {
  it('may hold a seed from twelve words on, whatever is between or around them', () => {
    expect(possibleSeed(TWELVE)).toBe(TWELVE);
    expect(possibleSeed(TWELVE.replaceAll(' ', ',\n'))).toBe(TWELVE);
    expect(possibleSeed(TWELVE.replaceAll(/\S+/g, '2. "$&"'))).toBe(TWELVE);
    expect(possibleSeed(`Keep: ${TWELVE}. 2026`)).toBe(`Keep ${TWELVE}`);
    for (const text of ['', TWELVE.slice(6), 'ab'.repeat(32), ADDRESS, `monero:${ADDRESS}?tx_amount=1`])
      expect(possibleSeed(text), text).toBeUndefined();
  });

  it('is not kept as an address from the first few words on, and if it has a key; addresses, requests and names are', () => {
    for (const text of ['river often below', 'ab'.repeat(32), '的一是'.repeat(5)]) expect(mayBeSecret(text), text).toBe(true);
    for (const text of [ADDRESS, ` ${ADDRESS}\n`, `monero:${ADDRESS}?tx_amount=1`, 'ana@example.org', ''])
      expect(mayBeSecret(text), text).toBe(false);
    expect(holdsKey(`${'AB'.repeat(31)}a`)).toBe(false);
  });

  it('T19 holds a seed also if one word is misspelt and others are around it, in any language of seeds; texts of the page do not', async () => {
    const seedsOf = (words: readonly string[]) => Array.from({ length: 13 }, (_, i) => words[i * 100 + 7]!);
    for (const { englishName, words } of [...(await loadAllPolyseedWordLists()), ...(await loadAllWordLists())]) {
      const seed = seedsOf(words).with(5, 'Mispelld');
      expect(await holds(`Do not lose: ${seed.join(' ')}, 2026!`), englishName).toBe(true);
    }
    expect(await holds('abbe abdu abro absu abys acad ache acid acou acqu acro acti'), 'abbreviated').toBe(true);
    expect(await heldIn(textsOf(languages.map(({ code }) => code)))).toEqual([]);
  });

  it('T19 holds a seed in Chinese or Japanese also without spaces; ordinary text of these languages does not', async () => {
    const polyseed = newPolyseed(systemRandom, 1_700_000_000);
    const all = [...(await loadAllPolyseedWordLists()), ...(await loadAllWordLists())];
    const seeds = all.flatMap((list) => {
      if (!/Chinese|Japanese/.test(list.englishName)) return [];
      const words = list instanceof WordList ? seedToWords(new Uint8Array(32).fill(7), list) : polyseedToWords(polyseed, list);
      return [{ name: list.englishName, words: words.split(/\s/u) }];
    });
    expect(seeds.map(({ name }) => name)).toHaveLength(5);
    for (const { name, words } of seeds) {
      const unspaced = words.join('');
      const lines = words.map((word, at) => (at % (words.length === 16 ? 4 : 5) === 0 ? `\n${word}` : word)).join('');
      for (const text of [unspaced, `2026: ${unspaced}。`, `monero「${unspaced}」`, lines])
        expect(await holds(text), `${name} ${text}`).toBe(true);
      // Fewer words in a row are ordinary text. Those of 16 are random ones, which may be read as more.
      const few = words.slice(0, 11).join('');
      if (words.length === 25) expect(await holds(`${few}ん、${few}`), `${name} ${few}`).toBe(false);
    }
    expect(await heldIn([...ORDINARY, ORDINARY.join(''), ...textsOf(['zh', 'ja'])])).toEqual([]);
  });
});
