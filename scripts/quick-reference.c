/*
 * Preloaded into the reference's programs in `npm test`, to replace slow work that no test examines. It affects no key of a wallet, and no
 * rule of the chain except its proof of work.
 */
#include <stddef.h>
#include <stdint.h>

/*
 * Whenever a wallet is created or opened they generate an RSA key of 4096 bits for an unused Bitmessage client (wallet2's
 * message_transporter.cpp, epee's net_ssl.cpp: create_rsa_ssl_certificate), which is most of the cost of opening. Here all of them get one
 * key, which needs no search: its primes are the two largest of 1024 bits. Its 2048 bits are the minimum that OpenSSL accepts for a certificate.
 */
struct rsa;
struct bignum;
struct context;
struct callback;

/* OpenSSL's own; weak, since a shell that starts a program has no OpenSSL. */
#define OPENSSL(type, name, ...) extern type name(__VA_ARGS__) __attribute__((weak))
OPENSSL(struct context *, BN_CTX_new, void);
OPENSSL(void, BN_CTX_free, struct context *);
OPENSSL(struct bignum *, BN_new, void);
OPENSSL(struct bignum *, BN_dup, const struct bignum *);
OPENSSL(void, BN_free, struct bignum *);
OPENSSL(int, BN_set_bit, struct bignum *, int bit);
OPENSSL(int, BN_sub_word, struct bignum *, unsigned long);
OPENSSL(int, BN_mul, struct bignum *product, const struct bignum *, const struct bignum *, struct context *);
OPENSSL(int, BN_div, struct bignum *quotient, struct bignum *rest, const struct bignum *, const struct bignum *, struct context *);
OPENSSL(struct bignum *, BN_mod_inverse, struct bignum *, const struct bignum *, const struct bignum *modulus, struct context *);
OPENSSL(int, RSA_set0_key, struct rsa *, struct bignum *modulus, struct bignum *exponent, struct bignum *inverse);
OPENSSL(int, RSA_set0_factors, struct rsa *, struct bignum *, struct bignum *);
OPENSSL(int, RSA_set0_crt_params, struct rsa *, struct bignum *, struct bignum *, struct bignum *);

static struct bignum *below_2_1024(unsigned long distance) {
  struct bignum *number = BN_new();
  BN_set_bit(number, 1024);
  BN_sub_word(number, distance);
  return number;
}

static struct bignum *product(const struct bignum *a, const struct bignum *b, struct context *context) {
  struct bignum *result = BN_new();
  BN_mul(result, a, b, context);
  return result;
}

static struct bignum *rest(const struct bignum *number, const struct bignum *divisor, struct context *context) {
  struct bignum *result = BN_new();
  BN_div(NULL, result, number, divisor, context);
  return result;
}

int RSA_generate_key_ex(struct rsa *key, int bits, struct bignum *exponent, struct callback *callback) {
  struct context *context = BN_CTX_new();
  struct bignum *p = below_2_1024(105), *q = below_2_1024(179);
  struct bignum *p_less_1 = below_2_1024(106), *q_less_1 = below_2_1024(180);
  struct bignum *order = product(p_less_1, q_less_1, context);
  struct bignum *inverse = BN_mod_inverse(NULL, exponent, order, context);
  int is_whole = inverse != NULL && RSA_set0_key(key, product(p, q, context), BN_dup(exponent), inverse) &&
                 RSA_set0_crt_params(key, rest(inverse, p_less_1, context), rest(inverse, q_less_1, context),
                                     BN_mod_inverse(NULL, q, p, context)) &&
                 RSA_set0_factors(key, p, q);
  BN_free(p_less_1);
  BN_free(q_less_1);
  BN_free(order);
  BN_CTX_free(context);
  return is_whole;
}

/*
 * monerod computes one RandomX hash to make a block and one to check it, some fifty milliseconds each, after a second for the cache
 * (crypto/rx-slow-hash.c). At regtest's difficulty any hash is valid. This one mixes the hashed bytes, with a different result for each nonce,
 * so that a higher difficulty can be met too. There is no data set: a miner's thread requests one, and continues without it.
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
