/*
 * Loaded before the reference's programs in `npm test`, in place of what they take long for and no test looks at. No key of a wallet, and
 * no rule of the chain but its proof of work, comes from here.
 */
#include <stddef.h>
#include <stdint.h>

/*
 * Each time a wallet is made or opened they make an RSA key of 4096 bits for a Bitmessage client that nothing uses (wallet2's
 * message_transporter.cpp, epee's net_ssl.cpp: create_rsa_ssl_certificate), which is most of what opening costs. 2048 bits are the least
 * that OpenSSL takes for a certificate.
 */
struct rsa;
struct bignum;
struct callback;

/* OpenSSL's own, which does the same for any number of primes; weak, since a shell that starts a program has no OpenSSL. */
extern int RSA_generate_multi_prime_key(struct rsa *, int bits, int primes, struct bignum *, struct callback *) __attribute__((weak));

int RSA_generate_key_ex(struct rsa *key, int bits, struct bignum *exponent, struct callback *callback) {
  return RSA_generate_multi_prime_key(key, bits > 2048 ? 2048 : bits, 2, exponent, callback);
}

/*
 * monerod takes one RandomX hash to make a block and one to check it, some fifty milliseconds each, after a second for the cache
 * (crypto/rx-slow-hash.c). At regtest's difficulty any hash will do. This one is a mixture of the bytes hashed, another for each nonce, so
 * that a higher difficulty can be met too. There is no data set: a miner's thread asks for one, and goes on without.
 */
static char something;

void *randomx_alloc_cache(int flags) { return &something; }
void randomx_init_cache(void *cache, const void *key, size_t size) {}
void *randomx_alloc_dataset(int flags) { return NULL; }
void *randomx_create_vm(int flags, void *cache, void *dataset) { return &something; }
void randomx_vm_set_cache(void *vm, void *cache) {}
void randomx_destroy_vm(void *vm) {}

/* The last steps of splitmix64. */
static uint64_t mixed(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

void randomx_calculate_hash(void *vm, const void *input, size_t size, void *output) {
  uint64_t state = size;
  for (size_t i = 0; i < size; i++) state = mixed(state + ((const uint8_t *)input)[i] + 0x9e3779b97f4a7c15u);
  for (int i = 0; i < 32; i++) ((uint8_t *)output)[i] = (uint8_t)(mixed(state + i / 8 + 1) >> (8 * (i % 8)));
}
