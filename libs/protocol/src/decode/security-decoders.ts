import { arrayOf, mapOf } from './collections.js';
import { defaulted, message, oneof, optional, required } from './message-decoder.js';
import { anyString, boolean, plainString } from './scalars.js';

// Writers that leave out defaults leave out an empty map or list, required or not.
const scopes = defaulted(mapOf(anyString), () => ({}));
const description = optional(plainString);

export const authorizationCodeFlow = message({
  authorizationUrl: required(plainString),
  tokenUrl: required(plainString),
  refreshUrl: optional(plainString),
  scopes,
  pkceRequired: optional(boolean),
});

export const clientCredentialsFlow = message({
  tokenUrl: required(plainString),
  refreshUrl: optional(plainString),
  scopes,
});

export const implicitFlow = message({
  authorizationUrl: optional(plainString),
  refreshUrl: optional(plainString),
  scopes: optional(mapOf(anyString)),
});

export const passwordFlow = message({
  tokenUrl: optional(plainString),
  refreshUrl: optional(plainString),
  scopes: optional(mapOf(anyString)),
});

export const deviceCodeFlow = message({
  deviceAuthorizationUrl: required(plainString),
  tokenUrl: required(plainString),
  refreshUrl: optional(plainString),
  scopes,
});

export const oauthFlows = oneof(
  {
    authorizationCode: required(authorizationCodeFlow),
    clientCredentials: required(clientCredentialsFlow),
    implicit: required(implicitFlow),
    password: required(passwordFlow),
    deviceCode: required(deviceCodeFlow),
  },
  {},
);

export const apiKeyScheme = message({ description, location: required(plainString), name: required(plainString) });

export const httpAuthScheme = message({
  description,
  scheme: required(plainString),
  bearerFormat: optional(plainString),
});

export const oauth2Scheme = message({
  description,
  flows: required(oauthFlows),
  oauth2MetadataUrl: optional(plainString),
});

export const openIdConnectScheme = message({ description, openIdConnectUrl: required(plainString) });

export const mutualTlsScheme = message({ description });

export const securityScheme = oneof(
  {
    apiKeySecurityScheme: required(apiKeyScheme),
    httpAuthSecurityScheme: required(httpAuthScheme),
    oauth2SecurityScheme: required(oauth2Scheme),
    openIdConnectSecurityScheme: required(openIdConnectScheme),
    mtlsSecurityScheme: required(mutualTlsScheme),
  },
  {},
);

export const stringList = message({ list: defaulted(arrayOf(anyString), () => []) });

export const securityRequirement = message({ schemes: defaulted(mapOf(stringList), () => ({})) });
