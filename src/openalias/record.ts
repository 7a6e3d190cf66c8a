import { readUrl } from '../base/index.ts';

/** Length of a standard address or subaddress, and of an integrated one: the only ones that the reference accepts in a record. */
const LENGTHS = [95, 106];
const MARK = 'oa1:xmr';
const FIELD = 'recipient_address=';

/**
 * The address in a TXT record of OpenAlias, as written there; undefined when there is none (dns_utils.cpp, address_from_txt_record). The
 * caller checks whether it is valid.
 */
export function addressInRecord(record: string): string | undefined {
  const mark = record.indexOf(MARK);
  const field = mark < 0 ? -1 : record.indexOf(FIELD, mark);
  if (field < 0) return undefined;
  const start = field + FIELD.length;
  const end = record.indexOf(';', start);
  return end >= 0 && LENGTHS.includes(end - start) ? record.slice(start, end) : undefined;
}

const MAX_NAME = 253;

/**
 * The DNS name of an OpenAlias name: `someone@example.org` is `someone.example.org`. In lower-case ASCII; undefined for an invalid name.
 */
export function dnsName(alias: string): string | undefined {
  const name = alias.trim().replace('@', '.').replace(/\.$/, '');
  if (!name.includes('.') || /[^\p{L}\p{M}\p{N}._-]/u.test(name)) return undefined;
  const hostname = readUrl(`http://${name}`)?.hostname ?? '';
  const labels = hostname.split('.');
  const good = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) && !/^[0-9.]+$/.test(hostname);
  return good && hostname.length <= MAX_NAME ? hostname : undefined;
}
