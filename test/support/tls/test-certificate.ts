/**
 * TEST ONLY. A self-signed certificate, its own authority, for `hooks.example`, `localhost` and 127.0.0.1; good until
 * 2120. The key is public by being here: trust it nowhere.
 */
export const TEST_CERTIFICATE = `
-----BEGIN CERTIFICATE-----
MIIBmzCCAUKgAwIBAgIBATAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRuZXN0anMt
YTJhIHRlc3Qgb25seTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFow
HzEdMBsGA1UEAwwUbmVzdGpzLWEyYSB0ZXN0IG9ubHkwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAAT7evo5cpk+mcIwglXYb5+zGgvWi1kJJd9jOmgqUIt2zpUzjvLs
lXSVNRdrPkBxdU3amtSV7BgmBV/Sz1Ah1JWMo20wazApBgNVHREEIjAggg1ob29r
cy5leGFtcGxlgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAOBgNV
HQ8BAf8EBAMCAoQwHQYDVR0OBBYEFCJQtI55ixIH77sHXKY2l7QNt31EMAoGCCqG
SM49BAMCA0cAMEQCIAOG1Gb2jsopOEYnO7J5n0vPxAV/CIfksjEvyIXs7KQIAiBx
lEKVnJcB1IFaBh3ZQ9uAbvhDu5Ym860oczyOvwKS4Q==
-----END CERTIFICATE-----
`.trimStart();

/** TEST ONLY. The key of {@link TEST_CERTIFICATE}. */
export const TEST_KEY = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwyIQi7NBljxTXqST
ZGtAoxL0VaL/NSnZ50laUiUgCfChRANCAAT7evo5cpk+mcIwglXYb5+zGgvWi1kJ
Jd9jOmgqUIt2zpUzjvLslXSVNRdrPkBxdU3amtSV7BgmBV/Sz1Ah1JWM
-----END PRIVATE KEY-----
`.trimStart();
