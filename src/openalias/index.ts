/** Addresses by name: OpenAlias over DNS-over-HTTPS, used only when a resolver is configured. */
export { addressInRecord, dnsName } from './record.ts';
export { type AliasAnswer, type AliasResolver, aliasResolver } from './resolver.ts';
