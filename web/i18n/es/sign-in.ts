import type { Messages } from '../messages.ts';

export const signIn: Messages['signIn'] = {
  title: 'Iniciar sesión',
  withPasskey: 'Entrar con una llave de acceso',
  passkeyCancelled: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o usa otro método.',
  withProvider: (provider: string) => `Entrar con ${provider}`,
  providerUnavailable:
    'El proveedor de identidad no respondió. Inténtalo de nuevo o usa otro método.',
  providerRefused: 'El proveedor de identidad no confirmó el inicio de sesión.',
  name: 'Nombre',
  password: 'Contraseña',
  withPassword: 'Entrar',
  link: 'Enlace o código de un solo uso',
  linkHint: 'El operador lo muestra con owner sign-in-link. Vale 30 minutos y una sola vez.',
  withLink: 'Usar el enlace',
  notACode: 'El enlace o código no está completo.',
};
