throw new Error('this file can not be read');
