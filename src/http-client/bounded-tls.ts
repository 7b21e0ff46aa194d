/** What a server may not choose in a TLS handshake, because it would decide how long the event loop is blocked. */
import { constants } from 'node:crypto';
import { DEFAULT_CIPHERS, type SecureContextOptions } from 'node:tls';

/**
 * With a group of its own for Diffie-Hellman (TLS 1.2), a server makes each handshake take more than a second; the curves that replace it
 * take less than a millisecond. Renegotiation repeats the handshake as often as the server likes.
 */
export const boundedTls: SecureContextOptions = {
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};
