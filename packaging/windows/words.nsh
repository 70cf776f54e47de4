; What the installer says, in English and in Simplified Chinese.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

!macro Words ID ENGLISH CHINESE
  LangString ${ID} ${LANG_ENGLISH} "${ENGLISH}"
  LangString ${ID} ${LANG_SIMPCHINESE} "${CHINESE}"
!macroend

!insertmacro Words PROGRAM_PART "GPT Studio" "GPT Studio"
!insertmacro Words PROGRAM_WORDS \
  "The program with all that it needs. Nothing is downloaded, now or later." \
  "程序及其所需的一切。现在和以后都无需下载任何内容。"
!insertmacro Words DESKTOP_PART "Shortcut on the desktop" "桌面快捷方式"
!insertmacro Words DESKTOP_WORDS \
  "The Start menu has one in any case." \
  "无论如何，开始菜单中都会有快捷方式。"
!insertmacro Words LESSON_FILE "GPT Studio lesson" "GPT Studio 课程"
!insertmacro Words RUNNING \
  "GPT Studio is running, or its files may not be changed. Please close it (a training is saved as it closes), then press Retry." \
  "GPT Studio 正在运行，或其文件无法更改。请将其关闭（关闭时会保存训练），然后按“重试”。"
!insertmacro Words WRONG_WINDOWS \
  "GPT Studio needs Windows 10 or newer on a 64-bit Intel or AMD processor. Nothing was installed." \
  "GPT Studio 需要 64 位 Intel 或 AMD 处理器上的 Windows 10 或更高版本。未安装任何内容。"
!insertmacro Words NO_SETTINGS \
  "There is no settings file '$Settings'. Nothing was installed." \
  "没有设置文件“$Settings”。未安装任何内容。"
!insertmacro Words LONG_PATH \
  "The path of this folder is too long: with it, some of the program's files would have paths of over ${MOST_CHARACTERS} characters, which Windows may not open. Please choose a folder with a shorter path." \
  "此文件夹的路径太长：程序的某些文件的路径将超过 ${MOST_CHARACTERS} 个字符，Windows 可能无法打开。请选择路径较短的文件夹。"
!insertmacro Words REMOVING_OLDER \
  "Removing the files of the version that is there; your runs are not touched ..." \
  "正在删除已有版本的文件；您的运行记录不受影响……"
!insertmacro Words OLDER_STAYS \
  "The version that is there could not be removed. Please uninstall it in Windows' settings, and start again." \
  "无法删除已有的版本。请在 Windows 设置中将其卸载，然后重新开始。"
!insertmacro Words INCOMPLETE \
  "GPT Studio was not installed, and what was written was removed again. Is the disk full, or may the folder not be written?" \
  "GPT Studio 未能安装，已写入的内容已被删除。磁盘是否已满，或者文件夹是否不可写入？"
!insertmacro Words FILES_STAY \
  "Some files could not be removed, because another program holds them. Please close it, and uninstall again." \
  "部分文件被其他程序占用，无法删除。请关闭该程序，然后重新卸载。"
