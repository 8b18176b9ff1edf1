import type { Messages } from '../messages.ts';

export const errors: Messages['errors'] = {
  offline: 'No se puede acceder al servicio. Comprueba la conexión.',
  unknown: 'Algo ha fallado.',
  unreadable: 'No se pudo leer la respuesta. Inténtalo de nuevo.',
  notLoadedTitle: 'No se pudo cargar una parte de la aplicación',
  notLoaded: 'Comprueba la conexión y recarga la página.',
  codes: {
    not_found: 'Ya no está ahí.',
    forbidden: 'No está permitido.',
    plan_limit: 'Se ha alcanzado el límite de tu plan.',
    rate_limited: 'Demasiadas solicitudes. Espera un momento.',
    unavailable: 'El servicio está ocupado. Inténtalo en unos segundos.',
    version_conflict: 'Se ha cambiado en otro lugar entretanto.',
    in_trash: 'Está en la papelera.',
    sign_in_failed: 'El enlace ya se usó o caducó, o los datos no son correctos.',
    sign_in_again: 'Para esto, inicia sesión de nuevo.',
    last_sign_in: 'Es el último método de inicio de sesión. Añade otro primero.',
    wrong_password: 'La contraseña actual no es correcta.',
    passkeys_unavailable:
      'Las llaves de acceso necesitan una dirección con nombre: por https o en localhost.',
    passkey_rejected: 'No se pudo verificar la llave de acceso. Empieza de nuevo.',
    internal: 'El servicio ha fallado. Si vuelve a ocurrir, da el número al operador.',
  },
};
