/*
 * Loaded before the reference's programs in `npm test`: each time a wallet is made or opened they make an RSA key of 4096 bits for a
 * Bitmessage client that nothing uses (wallet2's message_transporter.cpp, epee's net_ssl.cpp: create_rsa_ssl_certificate), which is most of
 * what opening costs. 2048 bits are the least that OpenSSL takes for a certificate. No key of a wallet comes from here.
 */
struct rsa;
struct bignum;
struct callback;

/* OpenSSL's own, which does the same for any number of primes; weak, since a shell that starts a program has no OpenSSL. */
extern int RSA_generate_multi_prime_key(struct rsa *, int bits, int primes, struct bignum *, struct callback *) __attribute__((weak));

int RSA_generate_key_ex(struct rsa *key, int bits, struct bignum *exponent, struct callback *callback) {
  return RSA_generate_multi_prime_key(key, bits > 2048 ? 2048 : bits, 2, exponent, callback);
}
